/** Warning headers. */

const TOTAL_RUNES = 4096;
const ITEM_RUNES = 256;

/**
 * The values of the Warning headers for these texts, in order.
 *
 * Shape: equal texts once; empty ones, and ones with control characters, left out. When all together have more than
 * 4,096 characters each is cut to 256, and what then comes after 4,096 is dropped.
 * Source: apiserver endpoints/filters/warning.go; RFC 7234, section 5.5.
 */
export function warningHeaders(texts: readonly string[]): readonly string[] {
  const distinct = [...new Set(texts)].filter((text) => text !== '');
  const sendable = (text: string): boolean => !/\p{Cc}/u.test(text);
  const total = distinct.filter(sendable).reduce((sum, text) => sum + Array.from(text).length, 0);
  if (total <= TOTAL_RUNES) return distinct.filter(sendable).map(headerValue);

  const headers: string[] = [];
  let written = 0;
  for (const text of distinct) {
    if (written >= TOTAL_RUNES) break;
    const cut = Array.from(text).slice(0, ITEM_RUNES);
    if (!sendable(cut.join(''))) continue;
    written += cut.length;
    headers.push(headerValue(cut.join('')));
  }
  return headers;
}

function headerValue(text: string): string {
  return `299 - "${text.replace(/["\\]/g, '\\$&')}"`;
}
