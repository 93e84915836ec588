/** YAML bodies: single documents with sorted names; they cannot be streamed. */
import { type JsonValue } from '../ground/json.js';
import { writeYaml } from '../ground/yaml-write.js';
import { type Format } from './format.js';
import { bareObject } from './json-format.js';

/** Source: sigs.k8s.io/yaml, which writes what the JSON form holds. */
export const yamlFormat: Format = {
  name: 'yaml',
  mediaType: 'application/yaml',
  text: true,
  object: (object) => [object.encoded('yaml', yamlBytes)],
  value: (value) => [yamlBytes(value)],
  // In one piece: where a line is folded depends on the column, so an item alone would be written differently.
  list: ({ head, items, itemForm }) => [
    yamlBytes({
      ...head,
      items: items.map(({ object }) => (itemForm === 'bare' ? bareObject(object) : object)),
    }),
  ],
};

function yamlBytes(value: JsonValue): Buffer {
  return Buffer.from(writeYaml(value));
}
