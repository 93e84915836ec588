/** The kinds and plurals of the built-in API, read from its discovery document. */
import { readFileSync } from 'node:fs';
import { type AllowedWord } from './rules.js';

/**
 * Kinds and plurals of every resource that the aggregated discovery document names, subresources left out.
 * Source: openapi/1.36/discovery-1.36.json.
 */
export function builtInNames(discoveryFile: string): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('resource' in value && 'responseKind' in value) {
      if (typeof value.resource === 'string') names.add(value.resource);
      const { responseKind } = value;
      if (typeof responseKind === 'object' && responseKind !== null && 'kind' in responseKind) {
        if (typeof responseKind.kind === 'string') names.add(responseKind.kind);
      }
    }
    Object.values(value).forEach(visit);
  };
  visit(JSON.parse(readFileSync(discoveryFile, 'utf8')));
  return names;
}

/** Words of the machinery that are also a kind or a plural. Machinery kinds (Status, Table, DeleteOptions, Scale, …) are no resource and need no entry. */
export const ALLOWED_WORDS: readonly AllowedWord[] = [
  { word: 'namespaces', under: 'mockserver/http/path.ts', why: 'a segment of every namespaced path' },
  { word: 'events', under: 'mockserver/observe/', why: 'watch events, as the journal counts them' },
];
