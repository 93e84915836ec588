/** What rules do, in words. */
import { effectWords, EFFECTS } from './effects.js';
import { type EventMatch, type Match } from './match.js';
import { type Pattern } from './member.js';
import { patternWords, spanWords } from './pattern.js';
import { type FaultRule, type When } from './rule.js';
import { type RuleFile } from './rule-reader.js';

/** One sentence. */
export function ruleWords(rule: FaultRule): string {
  const { match = {}, effect } = rule;
  const needs = EFFECTS[effect.kind].needs ?? {};
  const { event, ...asked } = { ...needs, ...match };
  const where = event === undefined ? requestWords(asked) : `${eventWords(event)} of ${requestWords(asked)}`;
  return `At ${where}${whenWords(rule)}: ${effectWords(effect)}.`;
}

/** What a plan does. Shape: a paragraph for the plan and one for each rule, in the order in which they are tried. */
export function planWords({ description, clients, expect, seed, rules }: RuleFile): string {
  const head = [
    ...(description === undefined ? [] : [description]),
    ...(clients === undefined ? [] : [`For: ${clients}.`]),
    ...(expect === undefined ? [] : [`Expected: ${expect}`]),
    ...(seed === undefined ? [] : [`Chance is drawn from the seed ${seed}.`]),
  ];
  const told = rules.map((rule, i) => `${i + 1}. ${rule.name ?? `rule-${i + 1}`}\n   ${ruleWords(rule)}`);
  return [...(head.length === 0 ? [] : [head.join('\n')]), ...told].join('\n\n');
}

function requestWords(match: Match): string {
  const { verb, resource, subresource, group, watchList, continued, page, request, revision } = match;
  const parts: string[] = [];
  if (request !== undefined) parts.push(`request ${spanWords(request)} of those that match:`);
  parts.push(verb === undefined ? 'each request' : `each ${patternWords(verb)}`);
  if (resource !== undefined) parts.push(`of ${resourceWords(resource, group, subresource)}`);
  else if (group !== undefined) parts.push(`of the group ${patternWords(group)}`);
  if (watchList !== undefined)
    parts.push(watchList ? 'that asks for initial events' : 'that asks for no initial events');
  if (continued !== undefined) parts.push(continued ? 'that goes on with a list' : 'that begins a list');
  if (page !== undefined) parts.push(`for page ${spanWords(page)}`);
  if (revision !== undefined) parts.push(`while the store stands at revision ${spanWords(revision)}`);
  for (const [says, pattern] of textsOf(match)) parts.push(`${says} ${patternWords(pattern)}`);
  return parts.join(' ');
}

function resourceWords(
  resource: Pattern,
  group: Pattern | undefined,
  subresource: Pattern | undefined,
): string {
  const of = group === undefined || group === '' ? '' : ` (${patternWords(group)})`;
  const part = subresource === undefined || subresource === '' ? '' : `/${patternWords(subresource)}`;
  return `${patternWords(resource)}${part}${of}`;
}

function textsOf(match: Match): (readonly [string, Pattern])[] {
  const {
    version,
    namespace,
    name,
    labelSelector,
    fieldSelector,
    userAgent,
    client,
    user,
    url,
    resourceVersion,
  } = match;
  const all: readonly (readonly [string, Pattern | undefined])[] = [
    ['in version', version],
    ['in namespace', namespace],
    ['named', name],
    ['with label selector', labelSelector],
    ['with field selector', fieldSelector],
    ['at resourceVersion', resourceVersion],
    ['to', url],
    ['from the user agent', userAgent],
    ['from the client', client],
    ['from the user', user],
  ];
  return all.filter((one): one is readonly [string, Pattern] => one[1] !== undefined);
}

function eventWords({ type, number, phase, namespace, name, revision }: EventMatch): string {
  const kinds = type === undefined ? 'event' : typeof type === 'string' ? type : type.join(' or ');
  const parts = [number === undefined ? `each ${kinds}` : `${kinds} ${spanWords(number)}`];
  if (phase !== undefined)
    parts.push(phase === 'initial' ? 'among the initial events' : 'behind the initial events');
  if (namespace !== undefined) parts.push(`in namespace ${patternWords(namespace)}`);
  if (name !== undefined) parts.push(`of ${patternWords(name)}`);
  if (revision !== undefined) parts.push(`at revision ${spanWords(revision)}`);
  return parts.join(' ');
}

function whenWords({ times, probability, after, until, signal, untilSignal, fromMs, toMs }: When): string {
  const parts: string[] = [];
  if (times !== undefined) parts.push(times === 1 ? 'once' : `${times} times at the most`);
  if (probability !== undefined) parts.push(`with probability ${probability}`);
  if (after !== undefined) parts.push(`after ${after} has fired`);
  if (until !== undefined) parts.push(`until ${until} has fired`);
  if (signal !== undefined) parts.push(`after the signal ${signal}`);
  if (untilSignal !== undefined) parts.push(`until the signal ${untilSignal}`);
  if (fromMs !== undefined) parts.push(`from ${fromMs} ms on`);
  if (toMs !== undefined) parts.push(`until ${toMs} ms have passed`);
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`;
}
