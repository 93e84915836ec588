#!/usr/bin/env node
/**
 * Makes dist/openapi/<version>/descriptions-<version>.json.gz: what the documentation says about the API's schemas and
 * their fields, from the doc comments of @kubernetes/client-node's declaration files. They are read as text; nothing
 * of that package is executed. Where it is not installed, nothing is made, and documents come without descriptions.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const MODELS = 'dist/gen/models';
/** `V1PodSpec`, `CoreV1Event`, `V1alpha1…`: an optional group, the version, the kind. */
const CLASS_NAME = /^([A-Z][a-z]+)?(V\d+(?:(?:alpha|beta)\d+)?)([A-Z]\w*)$/;
const CLASS = /\/\*\*\n((?:\*.*\n)*)\*\/\nexport declare class/;
const FIELD = /^ {4}\/\*\*\n((?: {4}\*.*\n)*) {4}\*\/\n {4}'([^']+)'\??:/gm;

/**
 * Shape: schema name → field → sentences; the schema itself under `''`.
 *
 * @param {Record<string, {properties?: Record<string, {$ref?: string}>}>} definitions the schemas that are to be described
 * @param {Map<string, string>} sources class name → text of its declaration file
 */
export function descriptionsFrom(definitions, sources) {
  const classes = new Map();
  for (const [name, text] of sources) {
    const match = CLASS_NAME.exec(name);
    if (match === null) continue;
    const [, group = '', version, kind] = match;
    const key = `${version.toLowerCase()}.${kind}`;
    classes.set(key, [...(classes.get(key) ?? []), { group: group.toLowerCase(), text }]);
  }
  const described = {};
  const ofTypes = {};
  for (const [schema, { properties = {} }] of Object.entries(definitions)) {
    const parts = schema.split('.');
    const candidates = classes.get(parts.slice(-2).join('.')) ?? [];
    // A class whose name says the group is of the schema whose package has it.
    const found =
      candidates.find(({ group }) => group !== '' && parts.some((part) => part.split('-')[0] === group)) ??
      candidates.find(({ group }) => group === '');
    if (found === undefined) continue;
    const own = CLASS.exec(found.text)?.[1];
    const sentences = own === undefined || sentence(own) === '' ? {} : { '': sentence(own) };
    const names = new Map(Object.keys(properties).map((name) => [propertyName(name), name]));
    for (const [, comment, written] of found.text.matchAll(FIELD)) {
      const field = names.get(propertyName(written.replace(/^_/, '')));
      const said = sentence(comment);
      if (field === undefined || said === '') continue;
      // Of some types (times, int-or-string) the generator repeats what is said about the type.
      const type = properties[field].$ref;
      if (type !== undefined && new RegExp(`^${type.split('.').at(-1)} is (?:a|version) `).test(said))
        ofTypes[type] ??= { '': said };
      else sentences[field] = said;
    }
    if (Object.keys(sentences).length > 0) described[schema] = sentences;
  }
  for (const [type, sentences] of Object.entries(ofTypes)) described[type] ??= sentences;
  // What was said about a field with a type of its own is lost: what is said about the type stands in for it.
  for (const [schema, { properties = {} }] of Object.entries(definitions)) {
    for (const [field, { $ref: type }] of Object.entries(properties)) {
      const said = type === undefined ? undefined : described[type]?.[''];
      if (said !== undefined && described[schema] !== undefined) described[schema][field] ??= said;
    }
  }
  return described;
}

/** What the generator makes of names that are no identifiers. */
const propertyName = (name) => name.replaceAll(/[-$]/g, '_').replace(/^_/, '');

const ENTITIES = {
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&#x60;': '`',
  '&#x3D;': '=',
};

function sentence(comment) {
  return comment
    .split('\n')
    .map((line) => line.replace(/^ *\* ?/, ''))
    .join('\n')
    .trim()
    .replaceAll(/\\(["'\\])/g, '$1')
    .replaceAll(/&(?:quot|#39|lt|gt|amp|#x60|#x3D);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll('*_/', '*/')
    .replaceAll('/_*', '/*');
}

/**
 * @param {string} packageFolder of @kubernetes/client-node
 * @returns {Map<string, string>}
 */
export function readSources(packageFolder) {
  const folder = `${packageFolder}/${MODELS}`;
  const files = readdirSync(folder).filter((name) => name.endsWith('.d.ts'));
  return new Map(
    files.map((name) => [name.slice(0, -'.d.ts'.length), readFileSync(`${folder}/${name}`, 'utf8')]),
  );
}

/** Writes the file of one version into `into`. Returns how many schemas are described. */
export function writeDescriptions({ root, version, into }) {
  const source = `${root}/node_modules/client-node-2`;
  if (!existsSync(`${source}/${MODELS}`)) return 0;
  const facts = JSON.parse(readFileSync(`${root}/openapi/${version}/kubernetes-${version}.json`, 'utf8'));
  const { name, version: release, license } = JSON.parse(readFileSync(`${source}/package.json`, 'utf8'));
  const schemas = descriptionsFrom(facts.definitions, readSources(source));
  const file = `${into}/descriptions-${version}.json.gz`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    gzipSync(JSON.stringify({ from: `${name} ${release}`, license, schemas }), { level: 9 }),
  );
  return Object.keys(schemas).length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const count = writeDescriptions({ root, version: '1.36', into: `${root}/dist/openapi/1.36` });
  console.log(`${count} schemas described`);
}
