/** Manifests: objects, or YAML with any number of them. */
import { parseAllDocuments } from 'yaml';
import { isKubeObject, type KubeObject, type Manifest } from './kube-object.js';

/** Shape: the objects in their order, those of Lists in the place of the list. Errors: an Error that says what is none. */
export function objectsOf(manifests: readonly Manifest[]): readonly KubeObject[] {
  return manifests.flatMap((one) => (typeof one === 'string' ? inYaml(one) : flattened(one, 'object')));
}

function inYaml(text: string): readonly KubeObject[] {
  return [...parseAllDocuments(text)].flatMap((document, index) => {
    const [error] = document.errors;
    if (error !== undefined) throw new Error(`document ${index + 1}: ${error.message}`);
    const value: unknown = document.toJS();
    return value === null || value === undefined ? [] : flattened(value, `document ${index + 1}`);
  });
}

function flattened(value: unknown, where: string): readonly KubeObject[] {
  if (isList(value)) return value.items.flatMap((item) => flattened(item, where));
  if (!isKubeObject(value)) throw new Error(`${where}: apiVersion, kind and metadata are needed`);
  return [value];
}

function isList(value: unknown): value is { readonly items: readonly unknown[] } {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, items } = value as { readonly kind?: unknown; readonly items?: unknown }; // only looked at
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items);
}
