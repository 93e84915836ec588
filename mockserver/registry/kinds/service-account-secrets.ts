/** The secrets of service accounts: they are named, and no more. */
import { type JsonObject, arrayMember, isJsonObject, member } from '../../ground/json.js';
import { type ApiObject } from '../../ground/object.js';
import { mapShared } from '../../schema/member-order.js';

/** Source: kubernetes registry/core/serviceaccount/strategy.go, cleanSecretReferences. */
export function withPlainSecrets(account: ApiObject): ApiObject {
  const secrets = arrayMember(account, 'secrets');
  if (secrets === undefined) return account;
  const plain = mapShared(secrets, (one) => (isJsonObject(one) && !isPlain(one) ? nameOnly(one) : one));
  return plain === secrets ? account : { ...account, secrets: plain };
}

const isPlain = (reference: JsonObject): boolean => Object.keys(reference).every((name) => name === 'name');

function nameOnly(reference: JsonObject): JsonObject {
  const name = member(reference, 'name');
  return name === undefined ? {} : { name };
}
