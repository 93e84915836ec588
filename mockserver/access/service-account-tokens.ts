/** The tokens of service accounts: signed with a key of the cluster's own, which is made when it is first needed. */
import { createHash, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import { isJsonObject, stringMember, type JsonObject } from '../ground/json.js';
import { readJson } from '../ground/json-read.js';
import { writeJson } from '../ground/json-write.js';
import { DEFAULT_ISSUER } from './token-review.js';

export type VerifiedToken =
  | { readonly kind: 'ours'; readonly claims: JsonObject }
  /** It says that it is ours, but the signature is not. */
  | { readonly kind: 'forged' }
  | { readonly kind: 'foreign' };

interface Key {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const KEY_BITS = 2048;

/** Source: RFC 7515 and 7519; kubernetes pkg/serviceaccount/jwt.go for the key's name and the claims. */
export class ServiceAccountTokens {
  readonly issuer: string;
  #key: Key | undefined;
  readonly #makeKey: () => KeyObject;

  /** @param makeKey gives an RSA private key; called once, when the first token is signed or the keys are asked for */
  constructor(makeKey: () => KeyObject = newKey, issuer = DEFAULT_ISSUER) {
    this.#makeKey = makeKey;
    this.issuer = issuer;
  }

  /** A signed token (RS256, compact form) with these claims, which are written in the order of their names. */
  sign(claims: JsonObject): string {
    const key = this.#keys();
    const head = encoded({ alg: 'RS256', kid: key.id });
    const signed = `${head}.${encoded(sorted({ ...claims, iss: this.issuer }))}`;
    return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key.privateKey).toString('base64url')}`;
  }

  verify(token: string): VerifiedToken {
    const [head = '', body = '', signature = '', ...more] = token.split('.');
    const claims = decoded(body);
    if (more.length > 0 || decoded(head) === undefined || stringMember(claims, 'iss') !== this.issuer) {
      return { kind: 'foreign' };
    }
    const good = verify(
      'RSA-SHA256',
      Buffer.from(`${head}.${body}`),
      this.#keys().publicKey,
      Buffer.from(signature, 'base64url'),
    );
    return good && claims !== undefined ? { kind: 'ours', claims } : { kind: 'forged' };
  }

  /** The public key as a JSON Web Key (RFC 7517), in a list of one. */
  publicKeys(): readonly JsonObject[] {
    const { id, publicKey } = this.#keys();
    const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
    return [{ use: 'sig', kty: 'RSA', kid: id, alg: 'RS256', n, e }];
  }

  #keys(): Key {
    if (this.#key !== undefined) return this.#key;
    const privateKey = this.#makeKey();
    const publicKey = createPublicKey(privateKey);
    const id = createHash('sha256')
      .update(publicKey.export({ format: 'der', type: 'spki' }))
      .digest('base64url');
    return (this.#key = { id, privateKey, publicKey });
  }
}

/** An RSA key that nobody has had. */
export const newKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: KEY_BITS }).privateKey;

const encoded = (value: JsonObject): string => Buffer.from(writeJson(value)).toString('base64url');

function decoded(part: string): JsonObject | undefined {
  const reading = readJson(Buffer.from(part, 'base64url'));
  return reading.ok && isJsonObject(reading.value) ? reading.value : undefined;
}

const sorted = (claims: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(claims).sort(([a], [b]) => (a < b ? -1 : 1)));
