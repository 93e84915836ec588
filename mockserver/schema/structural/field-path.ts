/** Paths to fields that a schema knows: `.spec.color`, `.spec['a.b'].c`. */
import { type StructuralSchema } from './structural-schema.js';

export type FieldPath =
  | {
      readonly ok: true;
      /** Names from the outermost down. */
      readonly steps: readonly string[];
      /** Of the field; undefined where nothing is known of it. */
      readonly schema: StructuralSchema | undefined;
    }
  | { readonly ok: false; readonly error: string };

const UNKNOWN = 'does not refer to a valid field';
const CUT_OFF = 'unexpected end of JSON path';

/**
 * Follows a path through a schema.
 * @param brackets whether `['name']` may be used
 * Source: apiextensions-apiserver apiserver/schema/cel/validation.go, ValidFieldPath.
 */
export function followPath(path: string, root: StructuralSchema, brackets: boolean): FieldPath {
  // Delimiters, quoted names, and what stands between them.
  const tokens = path.match(/[.[\]]|'(?:[^'\\]|\\.)*'?|[^.[\]]+/gs) ?? [];
  const steps: string[] = [];
  let schema: StructuralSchema | undefined = root;
  let at = 0;
  const wrong = (error: string): FieldPath => ({ ok: false, error });
  while (at < tokens.length) {
    const token = tokens[at++];
    if (token !== '.' && token !== '[') return wrong(`expected [ or . but got: ${token ?? ''}`);
    if (token === '[' && !brackets) return wrong('array notation is not allowed');
    let name = tokens[at++];
    if (name === undefined) return wrong(CUT_OFF);
    if (token === '[') {
      if (!/^'.*'$/s.test(name) || name.length < 2)
        return wrong(`expected single quoted string but got ${name}`);
      name = name.slice(1, -1).replace(/\\(.)/gs, '$1');
    }
    const named: boolean = schema !== undefined && schema.properties.size > 0;
    if (!named && schema?.additional === undefined) return wrong(UNKNOWN);
    const next: StructuralSchema | undefined = named
      ? schema?.properties.get(name)
      : schema?.additional?.schema;
    if (named && next === undefined) return wrong(UNKNOWN);
    steps.push(name);
    schema = next;
    if (token === '[') {
      const close = tokens[at++];
      if (close === undefined) return wrong(CUT_OFF);
      if (close !== ']') return wrong(`expected ] but got ${close}`);
    }
  }
  return { ok: true, steps, schema };
}
