/** The fields of protobuf messages. */

/** How a field is written in JSON when it is unset. */
export type Emission = 'always' | 'omit' | 'ptr' | 'null' | 'omitzero' | 'inline';

export interface MessageField {
  /** Name in protobuf, which the wire does not show. */
  readonly protobufName: string;
  /** Name in JSON. */
  readonly name: string;
  readonly number: number;
  /** `string`, `bool`, `int32`, `int64`, `bytes`, `double`, a message's full name, or `map<K,V>`. */
  readonly type: string;
  readonly label: 'opt' | 'rep' | 'map';
  /** Absent for messages of versions that are not served. */
  readonly emission?: Emission;
}

/** `[protobuf name, number, type, label, emission?, JSON name when it differs?]` */
export type FieldRecord = readonly [
  name: string,
  number: number,
  type: string,
  label: 'opt' | 'rep' | 'map',
  emission?: Emission,
  jsonName?: string,
];

export function fieldOf([protobufName, number, type, label, emission, jsonName]: FieldRecord): MessageField {
  return {
    protobufName,
    name: jsonName ?? protobufName,
    number,
    type,
    label,
    ...(emission === undefined ? {} : { emission }),
  };
}

/** `k8s.io.api.core.v1.Pod` → `io.k8s.api.core.v1.Pod`. */
export const definitionNameOfMessage = (message: string): string =>
  message
    .replace(/^k8s\.io\./, 'io.k8s.')
    .replace('.apiextensions_apiserver.', '.apiextensions-apiserver.')
    .replace('.kube_aggregator.', '.kube-aggregator.');

/** `io.k8s.api.core.v1.Pod` → `k8s.io.api.core.v1.Pod`; a message's own name stays as it is. */
export function messageNameOf(definitionName: string): string {
  if (!definitionName.startsWith('io.k8s.')) return definitionName;
  return `k8s.io.${definitionName.slice('io.k8s.'.length)}`
    .replace('k8s.io.apiextensions-apiserver.', 'k8s.io.apiextensions_apiserver.')
    .replace('k8s.io.kube-aggregator.', 'k8s.io.kube_aggregator.');
}
