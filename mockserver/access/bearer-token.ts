/** The Authorization header. */

/** The token of `Bearer <token>`, the scheme in any case; undefined for any other header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  const parts = (authorization ?? '').trim().split(' ');
  return parts.length === 2 && parts[0]?.toLowerCase() === 'bearer' ? parts[1] : undefined;
}
