/** Documents in YAML or JSON that people write: read, checked against a shape, every mistake told with its line. */
import { Lines } from './yaml-error.js';
import { loadYaml, type Node, type Pair, type ParsedDocument } from './yaml-package.js';
import { type Mistake, pathText, type ValueShape } from './value-shape.js';

/** A mistake with the line of the text on which it stands, counted from 1. */
export interface PlacedMistake extends Mistake {
  readonly line: number;
}

/** A text that cannot be used. Its message has a line for each mistake: `plan.yaml:7: rules[0].match.verb: must be …`. */
export class DocumentError extends Error {
  readonly file: string;
  readonly mistakes: readonly PlacedMistake[];

  constructor(file: string, mistakes: readonly PlacedMistake[]) {
    super(mistakes.map(({ line, at, what }) => mistakeText(file, line, pathText('', at), what)).join('\n'));
    this.name = 'DocumentError';
    this.file = file;
    this.mistakes = mistakes;
  }
}

const mistakeText = (file: string, line: number, path: string, what: string): string =>
  `${file}:${line}: ${path === '' ? '' : `${path}: `}${what}`;

/** One document of a text, not checked yet. */
export interface WrittenDocument {
  /** Plain JavaScript values; null for an empty document. */
  readonly value: unknown;
  /** The line on which what lies at a path is written; of what is not there, its nearest parent's. */
  lineOf(at: readonly (string | number)[]): number;
}

/**
 * The documents of a text, as YAML 1.2 with the core schema (`on` and `no` are texts).
 *
 * @param file how the text is called in errors
 * Errors: DocumentError for what is no YAML.
 */
export function readDocuments(text: string, file: string): WrittenDocument[] {
  const lines = new Lines(text);
  const parsed = loadYaml().parseAllDocuments(text, {
    version: '1.2',
    logLevel: 'silent',
    prettyErrors: false,
  });
  // An empty text is answered as an empty list that has the marks of a document.
  const documents = [...parsed];
  const mistakes = documents.flatMap(({ errors }) =>
    errors.map(({ message, pos: [start] }) => ({ at: [], what: message, line: lines.lineAt(start) })),
  );
  if (mistakes.length > 0) throw new DocumentError(file, mistakes);
  return documents.map((document) => ({
    value: document.toJS() as unknown,
    lineOf: (at) => lines.lineAt(offsetOf(document, at)),
  }));
}

/** The first document of a text, in the shape that is asked for. Errors: DocumentError with every mistake. */
export function readChecked<T>(text: string, file: string, shape: ValueShape<T>): T {
  const [document] = readDocuments(text, file);
  const value = document?.value ?? null;
  if (shape.fits(value)) return value;
  throw new DocumentError(file, placed(shape.mistakes(value), document));
}

/** Mistakes with their lines. */
export const placed = (
  mistakes: readonly Mistake[],
  document: WrittenDocument | undefined,
): PlacedMistake[] => mistakes.map((mistake) => ({ ...mistake, line: document?.lineOf(mistake.at) ?? 1 }));

/** Where the member or the item that a path leads to begins: a member at its name. */
function offsetOf(document: ParsedDocument, at: readonly (string | number)[]): number {
  let node: Node | null = document.contents;
  let offset = node?.range?.[0] ?? 0;
  for (const part of at) {
    if (node === null || !('items' in node)) break;
    const { items }: { items: readonly unknown[] } = node;
    let next: Node | undefined;
    if (typeof part === 'number') {
      next = asNode(items[part]);
      offset = next?.range?.[0] ?? offset;
    } else {
      const pair = items.find((item): item is Pair => isPairOf(item, part));
      offset = asNode(pair?.key)?.range?.[0] ?? offset;
      next = asNode(pair?.value);
    }
    if (next === undefined) break;
    node = next;
  }
  return offset;
}

const isPairOf = (item: unknown, name: string): boolean =>
  typeof item === 'object' &&
  item !== null &&
  'key' in item &&
  typeof item.key === 'object' &&
  item.key !== null &&
  'value' in item.key &&
  item.key.value === name;

const asNode = (value: unknown): Node | undefined =>
  // as: what stands in the items of a parsed collection is a node or a pair of nodes
  typeof value === 'object' && value !== null && 'range' in value ? (value as Node) : undefined;
