/** The members that every object has, whatever its schema says. */

const NAMES: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

export const isTypeMember = (name: string): boolean => NAMES.has(name);
