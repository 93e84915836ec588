/** The Accept header as a list of clauses, ordered as kube-apiserver orders them. */

export interface AcceptClause {
  /** `application`, or `*`. */
  readonly type: string;
  /** `json`, or `*`. */
  readonly subtype: string;
  /** Without `q`. Names and values as sent: they are case-sensitive. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/**
 * Reads an Accept header.
 *
 * Shape: best first. `*` alone is `*` + `/*`; what is no media type is left out; a parameter without a value, or with
 * two, is ignored; an unreadable quality is 0, and a quality of 0 does not exclude anything.
 * Source: github.com/munnerz/goautoneg, whose order (quality, then named before wildcard) is not quite an order.
 */
export function parseAccept(header: string): readonly AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(',')) {
    const clause = parseClause(part);
    if (clause !== undefined) clauses.push(clause);
  }
  // An insertion sort, because the comparison is no order and the outcome depends on how it is asked.
  for (let i = 1; i < clauses.length; i++) {
    for (let j = i; j > 0; j--) {
      const left = clauses[j - 1];
      const right = clauses[j];
      if (left === undefined || right === undefined || !comesBefore(right, left)) break;
      clauses[j - 1] = right;
      clauses[j] = left;
    }
  }
  return clauses;
}

function comesBefore(a: AcceptClause, b: AcceptClause): boolean {
  if (a.quality > b.quality) return true;
  if (a.type !== '*' && b.type === '*') return true;
  return a.subtype !== '*' && b.subtype === '*';
}

function parseClause(part: string): AcceptClause | undefined {
  const [media = '', ...settings] = part.split(';');
  const names = media.split('/');
  const type = trimBlanks(names[0] ?? '');
  let subtype: string;
  if (names.length === 1 || (names.length === 2 && names[1] === '')) {
    if (type !== '*') return undefined;
    subtype = '*';
  } else if (names.length === 2 || (names.length === 3 && names[2] === '')) {
    subtype = trimBlanks(names[1] ?? '');
  } else {
    return undefined;
  }
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const setting of settings) {
    const [name = '', value = '', ...more] = setting.split('=');
    if (value === '' || more.join('=') !== '') continue;
    const token = trimBlanks(name);
    if (token === 'q') quality = parseQuality(value);
    else parameters.set(token, trimBlanks(value));
  }
  return { type, subtype, parameters, quality };
}

function parseQuality(text: string): number {
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : 0;
}

function trimBlanks(text: string): string {
  return text.replace(/^ +| +$/g, '');
}
