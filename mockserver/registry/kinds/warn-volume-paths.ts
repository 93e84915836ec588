/** Warnings about files of one volume that would hide each other. Source: kubernetes api/pod/warnings.go. */
import { type JsonObject } from '../../ground/json.js';
import { goQuote } from '../../ground/revision.js';
import { isSet, itemsAt, partAt, textAt } from '../../schema/validation/field-values.js';

interface FilePath {
  readonly path: string;
  /** `''` where all come from the same source. */
  readonly source: string;
}

export const overlapWarnings = (volumes: readonly JsonObject[]): readonly string[] =>
  volumes.flatMap((volume) => {
    const name = goQuote(textAt(volume, 'name'));
    const warn = (what: string, paths: readonly FilePath[]): readonly string[] =>
      overlaps(paths).map((body) => `volume ${name} (${what}): overlapping paths: ${body}`);
    const [config, secret] = [partAt(volume, 'configMap'), partAt(volume, 'secret')];
    return [
      ...(config ? warn(`ConfigMap ${goQuote(textAt(config, 'name'))}`, itemPaths(config, '')) : []),
      ...(secret ? warn(`Secret ${goQuote(textAt(secret, 'secretName'))}`, itemPaths(secret, '')) : []),
      ...warn('DownwardAPI', itemPaths(partAt(volume, 'downwardAPI'), '')),
      ...itemsAt(partAt(volume, 'projected'), 'sources').flatMap((source) =>
        SOURCES.some((one) => isSet(source, one))
          ? []
          : [`volume ${name} (Projected) has no sources provided`],
      ),
      ...warn('Projected', itemsAt(partAt(volume, 'projected'), 'sources').flatMap(projectedPaths)),
    ];
  });

const SOURCES = [
  'secret',
  'downwardAPI',
  'configMap',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
];

const itemPaths = (source: JsonObject | undefined, shown: string): readonly FilePath[] =>
  itemsAt(source, 'items').map((item) => ({ path: textAt(item, 'path'), source: shown }));

function projectedPaths(source: JsonObject): readonly FilePath[] {
  const [config, secret] = [partAt(source, 'configMap'), partAt(source, 'secret')];
  if (config !== undefined) return itemPaths(config, `ConfigMap ${goQuote(textAt(config, 'name'))}`);
  if (secret !== undefined) return itemPaths(secret, `Secret ${goQuote(textAt(secret, 'name'))}`);
  const downward = partAt(source, 'downwardAPI');
  if (downward !== undefined) return itemPaths(downward, 'DownwardAPI');
  const token = partAt(source, 'serviceAccountToken');
  if (token !== undefined) return [{ path: textAt(token, 'path'), source: 'ServiceAccountToken' }];
  const bundle = partAt(source, 'clusterTrustBundle');
  if (bundle === undefined) return [];
  const name = textAt(bundle, 'name') || textAt(bundle, 'signerName');
  return [{ path: textAt(bundle, 'path'), source: `ClusterTrustBundle ${goQuote(name)}` }];
}

function overlaps(paths: readonly FilePath[]): readonly string[] {
  const texts: string[] = [];
  const known: FilePath[] = [];
  const shown = ({ path, source }: FilePath): string =>
    source === '' ? goQuote(path) : `${goQuote(path)} (${source})`;
  for (const given of paths) {
    const one = { ...given, path: given.path.replace(/\/+$/, '') };
    for (const other of known)
      if (collide(one.path, other.path)) texts.push(`${shown(one)} with ${shown(other)}`);
    known.push(one);
  }
  return texts;
}

const collide = (a: string, b: string): boolean =>
  a !== '' && b !== '' && (a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`));
