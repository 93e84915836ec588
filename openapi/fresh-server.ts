/** The loader of the objects that a server of one Kubernetes version has when it starts over an empty store. */
import { readFileSync } from 'node:fs';
import { type JsonObject, arrayMember, isJsonObject, stringMember } from '../mockserver/ground/json.js';
import { type ApiObject } from '../mockserver/ground/object.js';
import { versionFolder } from './version-folder.js';

/** What an object needs to be there at all. */
export type FreshObjectCondition = 'clientCa' | 'reachableAddress' | 'serverIdentity';

export interface FreshObject {
  readonly when: FreshObjectCondition | undefined;
  /** With `<…>` for what differs from server to server; without uid, resourceVersion and creationTimestamp. */
  readonly object: ApiObject;
}

/**
 * The objects in the order in which a server wrote them.
 * @param version `1.36`: the folder
 * Errors: an Error that names the file when it is not what it should be.
 */
export function readFreshServer(version: string): readonly FreshObject[] {
  const url = new URL(`fresh-server-${version}.json`, versionFolder(version));
  // JSON.parse answers nothing but JSON values.
  const content = JSON.parse(readFileSync(url, 'utf8')) as JsonObject;
  const records = arrayMember(content, 'objects');
  if (records === undefined) throw new Error(`${url.pathname}: no objects`);
  return records.map((record) => {
    const object = isJsonObject(record) ? record['object'] : undefined;
    if (!isJsonObject(record) || !isApiObject(object)) throw new Error(`${url.pathname}: not an object`);
    return { when: conditionOf(stringMember(record, 'when')), object };
  });
}

function isApiObject(value: JsonObject[string] | undefined): value is ApiObject {
  return (
    isJsonObject(value) &&
    typeof value['apiVersion'] === 'string' &&
    typeof value['kind'] === 'string' &&
    isJsonObject(value['metadata'])
  );
}

function conditionOf(text: string | undefined): FreshObjectCondition | undefined {
  switch (text) {
    case undefined:
    case 'clientCa':
    case 'reachableAddress':
    case 'serverIdentity':
      return text;
    default:
      throw new Error(`fresh server: unknown condition ${text}`);
  }
}
