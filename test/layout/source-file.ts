/** One TypeScript file as the layout rules see it: what it imports, exports on, names and quotes. */
import { readFileSync, readdirSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import ts from 'typescript';

export interface ImportEdge {
  /** A path from the repository's root (`mockserver/ground/json.ts`), or a package (`express`, `node:http`). */
  readonly target: string;
  readonly names: readonly string[];
  readonly line: number;
}

export interface Word {
  readonly text: string;
  readonly line: number;
}

export interface GivenWord extends Word {
  /** The name of the function. */
  readonly givenTo: string;
}

export interface SourceFile {
  /** From the repository's root, with slashes. */
  readonly path: string;
  readonly imports: readonly ImportEdge[];
  /** Lines on which the file hands on another file's exports. */
  readonly reExports: readonly number[];
  /** Strings in the code, without import specifiers. */
  readonly literals: readonly Word[];
  /** Identifiers that stand for values, `Math.random`, and members of `process`. */
  readonly values: readonly Word[];
  /** Templates with something put in, as they are written, that a function is called with. */
  readonly templates: readonly GivenWord[];
}

/** Reads one file. `path` is from the repository's root; relative imports are resolved against it. */
export function parseSource(path: string, text: string): SourceFile {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS);
  const imports: ImportEdge[] = [];
  const reExports: number[] = [];
  const literals: Word[] = [];
  const values: Word[] = [];
  const templates: GivenWord[] = [];
  const lineOf = (node: ts.Node): number => tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;

  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      const from = node.moduleSpecifier;
      if (from !== undefined && ts.isStringLiteral(from)) {
        imports.push({ target: resolveImport(path, from.text), names: namesOf(node), line: lineOf(node) });
        if (ts.isExportDeclaration(node)) reExports.push(lineOf(node));
      }
      return;
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const from = node.argument.literal;
      if (ts.isStringLiteral(from)) {
        imports.push({ target: resolveImport(path, from.text), names: [], line: lineOf(node) });
      }
      return;
    }
    if (ts.isCallExpression(node)) {
      const from = node.arguments[0];
      const loads =
        node.expression.kind === ts.SyntaxKind.ImportKeyword ||
        (ts.isIdentifier(node.expression) && node.expression.text === 'require');
      if (loads && from !== undefined && ts.isStringLiteralLike(from)) {
        imports.push({ target: resolveImport(path, from.text), names: [], line: lineOf(node) });
        return;
      }
    }
    if (ts.isStringLiteralLike(node)) literals.push({ text: node.text, line: lineOf(node) });
    if (ts.isPropertyAccessExpression(node) && /^(Math\.random|process\.\w+)$/.test(node.getText(tree))) {
      values.push({ text: node.getText(tree), line: lineOf(node) });
    }
    if (ts.isTemplateExpression(node) && ts.isCallExpression(node.parent)) {
      const givenTo = node.parent.expression.getText(tree);
      templates.push({ text: node.getText(tree), line: lineOf(node), givenTo });
    }
    if (ts.isIdentifier(node) && standsForValue(node)) values.push({ text: node.text, line: lineOf(node) });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { path, imports, reExports, literals, values, templates };
}

/** Every `.ts` file under the named folders, sorted by path; a folder that is not there holds none. */
export function readSources(root: string, folders: readonly string[]): readonly SourceFile[] {
  return folders
    .flatMap((folder) => typescriptFiles(join(root, folder)))
    .map((file) => parseSource(relative(root, file).split(sep).join('/'), readFileSync(file, 'utf8')))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function typescriptFiles(folder: string): readonly string[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return typescriptFiles(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

function resolveImport(importer: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return posix.join(posix.dirname(importer), specifier).replace(/\.js$/, '.ts');
}

function namesOf(node: ts.ImportDeclaration | ts.ExportDeclaration): readonly string[] {
  const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
  if (bindings === undefined || !('elements' in bindings)) return [];
  return bindings.elements.map((element) => (element.propertyName ?? element.name).text);
}

/** Not a property's name, not a declared member's name, not part of a type. */
function standsForValue(node: ts.Identifier): boolean {
  const parent = node.parent;
  if (ts.isPropertyAccessExpression(parent)) {
    // globalThis.setTimeout is setTimeout.
    return parent.expression === node || parent.expression.getText() === 'globalThis';
  }
  if (ts.isTypeReferenceNode(parent) || ts.isQualifiedName(parent) || ts.isPropertySignature(parent))
    return false;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  return !(
    ts.isMethodDeclaration(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isPropertyDeclaration(parent)
  );
}
