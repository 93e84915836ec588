/** Checks of file paths. */
import { type Findings } from './findings.js';

export function withoutBacksteps(found: Findings, path: string, field: string): void {
  if (path.split('/').includes('..')) found.invalid(field, path, "must not contain '..'");
}

/** A relative path that does not lead up. */
export function descendingPath(found: Findings, path: string, field: string): void {
  if (path.startsWith('/')) found.invalid(field, path, 'must be a relative path');
  withoutBacksteps(found, path, field);
}

/** Such a path, whose first part does not begin with two dots. */
export function freePath(found: Findings, path: string, field: string): void {
  descendingPath(found, path, field);
  if (path.startsWith('..') && !path.startsWith('../')) {
    found.invalid(field, path, "must not start with '..'");
  }
}
