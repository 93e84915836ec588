/** One POST to a webhook, and Go's words for what goes wrong with it. Source: apiserver util/webhook/client.go; client-go rest. */
import { type JsonObject, isJsonObject, objectMember, stringMember } from '../ground/json.js';
import { readJson } from '../ground/json-read.js';
import { type HttpsAnswer, httpsCall } from './https-call.js';

export interface WebhookTarget {
  readonly url: string;
  /** PEM; undefined: what Node trusts. */
  readonly ca: string | undefined;
}

export type WebhookReply =
  { readonly ok: true; readonly body: Buffer } | { readonly ok: false; readonly error: string };

/** Where a clientConfig leads; definitions are refused whose URL is not one of https. Source: apiserver util/webhook/serviceresolver.go. */
export function webhookTarget(clientConfig: JsonObject | undefined): WebhookTarget {
  const bundle = Buffer.from(stringMember(clientConfig, 'caBundle') ?? '', 'base64').toString();
  const ca = bundle.trim() === '' ? undefined : bundle;
  const service = objectMember(clientConfig, 'service');
  if (service === undefined) return { url: stringMember(clientConfig, 'url') ?? '', ca };
  const text = (name: string): string => stringMember(service, name) ?? '';
  const port = service['port'];
  const shownPort = typeof port === 'number' ? port : 443;
  return { url: `https://${text('name')}.${text('namespace')}.svc:${shownPort}${text('path')}`, ca };
}

/** @param timeoutSeconds of real time */
export async function postToWebhook(
  { url, ca }: WebhookTarget,
  body: Buffer,
  timeoutSeconds: number,
): Promise<WebhookReply> {
  const target = new URL(url);
  target.searchParams.set('timeout', `${timeoutSeconds}s`);
  let answer: HttpsAnswer;
  try {
    answer = await httpsCall(
      target,
      {
        method: 'POST',
        headers: {
          Accept: 'application/json',
          'Content-Type': 'application/json',
          'Content-Length': body.length,
          'User-Agent': 'kube-apiserver-admission',
        },
        signal: AbortSignal.timeout(timeoutSeconds * 1000),
        ...(ca === undefined ? {} : { ca }),
      },
      body,
    );
  } catch (error) {
    // A request fails with nothing else.
    const problem = connectionProblem(error as NodeJS.ErrnoException, target);
    return { ok: false, error: `Post "${target.href}": ${problem}` };
  }
  return replyOf(answer.code, answer.body);
}

function connectionProblem(error: NodeJS.ErrnoException, { hostname, port }: URL): string {
  const address = `${hostname}:${port === '' ? '443' : port}`;
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'context deadline exceeded';
  switch (error.code) {
    case 'ECONNREFUSED':
      return `dial tcp ${address}: connect: connection refused`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `dial tcp: lookup ${hostname}: no such host`;
    case 'ECONNRESET':
      return 'EOF';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
    default:
      return error.message;
  }
}

/** An answer of another code than 2xx is an error, in the words of its Status where it has one. */
function replyOf(code: number, body: Buffer): WebhookReply {
  if (code >= 200 && code < 300) return { ok: true, body };
  const read = readJson(body);
  const message = read.ok && isJsonObject(read.value) ? stringMember(read.value, 'message') : undefined;
  if (message !== undefined && message !== '') return { ok: false, error: message };
  const text = body.toString().trim();
  if (code >= 500) {
    const shown = text === '' ? 'unknown' : text;
    return {
      ok: false,
      error: `an error on the server (${JSON.stringify(shown)}) has prevented the request from succeeding`,
    };
  }
  if (code === 404) return { ok: false, error: 'the server could not find the requested resource' };
  return { ok: false, error: 'the server rejected our request for an unknown reason' };
}
