/** Where a client finds its cluster, and as whom it comes. */

export interface Place {
  /** `http://127.0.0.1:18080/clusters/a` */
  readonly url: string;
  /** Bearer token. @default none */
  readonly token?: string;
  /** Whom it acts as, by Impersonate headers. @default itself */
  readonly actAs?: ActAs;
}

export interface ActAs {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
}

/** Headers of every request of a client. */
export function headersOf({ token, actAs }: Place): Record<string, string | string[]> {
  return {
    'user-agent': USER_AGENT,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(actAs === undefined ? {} : { 'impersonate-user': actAs.user }),
    ...(actAs?.groups === undefined ? {} : { 'impersonate-group': [...actAs.groups] }),
    ...(actAs?.uid === undefined ? {} : { 'impersonate-uid': actAs.uid }),
  };
}

/** What the journal calls the client of a test. */
export const USER_AGENT = 'kube-mockserver-client';
