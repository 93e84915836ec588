/** What validating a value against a schema finds, and how well it matched. */
import { type FieldError, type FieldErrorReason } from '../../ground/field-error.js';
import { type JsonValue } from '../../ground/json.js';

/** An error of one keyword. */
export interface Finding {
  /** Where: `spec.list[0]`, with a leading dot at the root; undefined: said of the whole. */
  readonly path: string | undefined;
  /** In the schema library's words. Two findings of one text are one. */
  readonly text: string;
  readonly reason: FieldErrorReason;
  /** Absent for reasons that show no value. */
  readonly value?: JsonValue;
  /** Where it is not the text. */
  readonly detail?: string;
}

/**
 * Findings in the order in which they were made, no text twice.
 *
 * `matches` counts checks that were passed: of alternatives that all fail, those of the one that came farthest are
 * shown. Source: kube-openapi validation/validate/result.go.
 */
export class Findings {
  readonly all: Finding[] = [];
  matches = 0;

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  add(finding: Finding): void {
    for (const one of this.all) if (one.text === finding.text) return;
    this.all.push(finding);
  }

  merge(other: Findings): void {
    for (const one of other.all) this.add(one);
    this.matches += other.matches;
  }
}

/**
 * @param root where the value that was validated stands, `''` for a whole object. What is said of a whole object has
 * no field, which is written `<nil>`.
 */
export function asFieldError({ path, text, reason, value, detail }: Finding, root: string): FieldError {
  const inner = path?.replace(/^\./, '') ?? '';
  const field = [root, inner].filter((part) => part !== '').join('.');
  return {
    reason,
    field: field === '' ? '<nil>' : field,
    ...(value === undefined ? {} : { value }),
    detail: detail ?? text,
  };
}

/** A finding that is no keyword's own: it names the value in its text only. */
export const general = (text: string): Finding => ({
  path: undefined,
  text,
  reason: 'FieldValueInvalid',
  value: '',
});
