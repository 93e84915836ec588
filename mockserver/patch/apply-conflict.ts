/** The refusal of an apply that would change what others own. */
import { type StatusCause, CODE_OF, StatusError, failure } from '../ground/status.js';
import { goQuote } from '../ground/revision.js';
import { type FieldSet, difference, pathsOf } from './field-set.js';
import { type Owner, identifierOf } from './managed-fields.js';
import { showPath } from './path-element.js';

export interface Conflict {
  readonly owner: Owner;
  /** What the apply would change of theirs. */
  readonly fields: FieldSet;
}

/** What is left of some conflicts when those about the fields of a set are let pass. */
export const conflictsBeyond = (conflicts: readonly Conflict[], allowed: FieldSet): Conflict[] =>
  conflicts
    .map(({ owner, fields }) => ({ owner, fields: difference(fields, allowed) }))
    .filter(({ fields }) => !fields.empty);

/**
 * 409 with a cause per field.
 *
 * Owners come in the order of their identifiers. Source: apimachinery managedfields/internal/conflict.go.
 */
export function applyConflict(conflicts: readonly Conflict[]): StatusError {
  const ordered = [...conflicts].sort((a, b) => (identifierOf(a.owner) < identifierOf(b.owner) ? -1 : 1));
  const causes = ordered.flatMap(({ owner, fields }): StatusCause[] =>
    pathsOf(fields).map((path) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${showOwner(owner)}`,
      field: showPath(path),
    })),
  );
  const [only] = causes;
  const text =
    causes.length === 1 && only !== undefined
      ? `Apply failed with 1 conflict: ${only.message ?? ''}: ${only.field ?? ''}`
      : `Apply failed with ${causes.length} conflicts: ${ordered.map(showConflicts).join('\n')}`;
  return new StatusError(
    failure({ code: CODE_OF.Conflict, reason: 'Conflict', message: text, details: { causes } }),
  );
}

const showConflicts = ({ owner, fields }: Conflict): string =>
  [`conflicts with ${showOwner(owner)}:`, ...pathsOf(fields).map((path) => `- ${showPath(path)}`)].join('\n');

function showOwner({ name, subresource, operation, apiVersion }: Owner): string {
  const where = subresource === '' ? '' : ` with subresource ${goQuote(subresource)}`;
  return `${goQuote(name)}${where}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}
