/** The parts of a JSONPath template, as the parser makes them and the evaluator walks them. */

export type PathNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'recursive' }
  /** `range`, `end` or a word that nothing knows. */
  | { readonly kind: 'identifier'; readonly name: string }
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | {
      readonly kind: 'slice';
      /** Undefined: from the first on. */
      readonly start: number | undefined;
      /** Undefined: to the last. */
      readonly end: number | undefined;
      /** Whether `end` was made from `start`, because a single element was asked for. */
      readonly single: boolean;
      readonly step: number | undefined;
    }
  | { readonly kind: 'union'; readonly parts: readonly PathList[] }
  | {
      readonly kind: 'filter';
      readonly left: PathList;
      /** `exists`, or what stood between the two sides. */
      readonly operator: string;
      readonly right: PathList;
    }
  | { readonly kind: 'list'; readonly nodes: PathList };

export type PathList = readonly PathNode[];

/** Thrown by the parser: the template cannot be read. */
export class PathSyntaxError extends Error {}
