/** Who writes, as managedFields names them. */
import { isPrintable } from '../ground/revision.js';

/** Bytes of UTF-8. */
const LONGEST = 128;

/**
 * `fieldManager`, or else the User-Agent up to its first `/`, without what cannot be printed, cut to 128 bytes.
 * Source: apiserver endpoints/handlers/create.go managerOrUserAgent, prefixFromUserAgent.
 */
export function writerName(fieldManager: string, userAgent: string): string {
  if (fieldManager !== '') return fieldManager;
  let name = '';
  let bytes = 0;
  for (const ch of userAgent.split('/')[0] ?? '') {
    if (!isPrintable(ch)) continue;
    bytes += Buffer.byteLength(ch);
    if (bytes > LONGEST) break;
    name += ch;
  }
  return name;
}
