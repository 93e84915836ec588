/** Validation of what pods say about where they run. Source: kubernetes apis/core/validation/validation.go. */
import { type JsonObject } from '../../ground/json.js';
import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelKeyProblems,
  labelValueProblems,
} from '../../ground/name-syntax.js';
import {
  integerAt,
  isSet,
  itemsAt,
  keysAt,
  partAt,
  textAt,
  textsAt,
} from '../../schema/validation/field-values.js';
import { type Findings } from '../../schema/validation/findings.js';
import { isSetRequirement, labelSelector } from '../../schema/validation/label-selectors.js';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
export const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function affinity(found: Findings, affinities: JsonObject | undefined, at: string): void {
  if (affinities === undefined) return;
  const nodes = partAt(affinities, 'nodeAffinity');
  if (nodes !== undefined) {
    const needed = partAt(nodes, REQUIRED);
    if (needed !== undefined) nodeSelector(found, needed, `${at}.nodeAffinity.${REQUIRED}`);
    itemsAt(nodes, PREFERRED).forEach((term, i) => {
      const place = `${at}.nodeAffinity.${PREFERRED}[${i}]`;
      weight(found, term, place);
      const preference = partAt(term, 'preference');
      if (preference !== undefined) nodeSelectorTerm(found, preference, `${place}.preference`, true);
    });
  }
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const pods = partAt(affinities, kind);
    if (pods === undefined) continue;
    itemsAt(pods, REQUIRED).forEach((term, i) => {
      podTerm(found, term, `${at}.${kind}.${REQUIRED}[${i}]`);
    });
    itemsAt(pods, PREFERRED).forEach((term, i) => {
      const place = `${at}.${kind}.${PREFERRED}[${i}]`;
      weight(found, term, place);
      podTerm(found, partAt(term, 'podAffinityTerm') ?? {}, `${place}.podAffinityTerm`);
    });
  }
}

function weight(found: Findings, term: JsonObject, at: string): void {
  const value = integerAt(term, 'weight');
  if (value <= 0 || value > 100) found.invalid(`${at}.weight`, value, 'must be in the range 1-100');
}

export function nodeSelector(found: Findings, selector: JsonObject, at: string): void {
  const terms = itemsAt(selector, 'nodeSelectorTerms');
  if (terms.length === 0)
    found.required(`${at}.nodeSelectorTerms`, 'must have at least one node selector term');
  terms.forEach((term, i) => {
    nodeSelectorTerm(found, term, `${at}.nodeSelectorTerms[${i}]`, false);
  });
}

/** @param anyValues whether values need not have the form of label values */
function nodeSelectorTerm(found: Findings, term: JsonObject, at: string, anyValues: boolean): void {
  itemsAt(term, 'matchExpressions').forEach((one, i) => {
    const place = `${at}.matchExpressions[${i}]`;
    const values = textsAt(one, 'values');
    nodeOperator(found, one, values, place);
    found.problems(`${place}.key`, textAt(one, 'key'), labelKeyProblems);
    if (anyValues) return;
    values.forEach((value, j) => {
      found.problems(`${place}.values[${j}]`, value, labelValueProblems);
    });
  });
  itemsAt(term, 'matchFields').forEach((one, i) => {
    const place = `${at}.matchFields[${i}]`;
    const values = textsAt(one, 'values');
    const operator = textAt(one, 'operator');
    if (operator !== 'In' && operator !== 'NotIn')
      found.invalid(`${place}.operator`, operator, 'not a valid selector operator');
    else if (values.length !== 1)
      found.required(
        `${place}.values`,
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      );
    const key = textAt(one, 'key');
    if (key !== 'metadata.name') found.invalid(`${place}.key`, key, 'not a valid field selector key');
    else
      values.forEach((value, j) => {
        found.problems(`${place}.values[${j}]`, value, dns1123SubdomainProblems);
      });
  });
}

function nodeOperator(found: Findings, one: JsonObject, values: readonly string[], at: string): void {
  const operator = textAt(one, 'operator');
  if (isSetRequirement(found, one, at)) return;
  if (operator !== 'Gt' && operator !== 'Lt')
    found.invalid(`${at}.operator`, operator, 'not a valid selector operator');
  else if (values.length !== 1)
    found.required(`${at}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'");
}

function podTerm(found: Findings, term: JsonObject, at: string): void {
  labelSelector(found, partAt(term, 'labelSelector'), `${at}.labelSelector`);
  labelSelector(found, partAt(term, 'namespaceSelector'), `${at}.namespaceSelector`);
  for (const name of textsAt(term, 'namespaces'))
    found.problems(`${at}.namespace`, name, dns1123LabelProblems);
  labelKeys(found, term, at);
  const key = found.needs(term, at, 'topologyKey', 'can not be empty');
  found.problems(`${at}.topologyKey`, key, labelKeyProblems);
}

/** matchLabelKeys and mismatchLabelKeys. */
function labelKeys(found: Findings, term: JsonObject, at: string): void {
  const selector = partAt(term, 'labelSelector');
  for (const name of ['matchLabelKeys', 'mismatchLabelKeys']) {
    const keys = textsAt(term, name);
    if (keys.length === 0) continue;
    if (selector === undefined)
      found.forbidden(`${at}.${name}`, 'must not be specified when labelSelector is not set');
    else
      keys.forEach((key, i) => {
        found.problems(`${at}.${name}[${i}]`, key, labelKeyProblems);
      });
  }
  const matched = textsAt(term, 'matchLabelKeys');
  if (matched.length === 0) return;
  if (selector !== undefined) {
    const seen = new Set(keysAt(selector, 'matchLabels'));
    for (const expression of itemsAt(selector, 'matchExpressions')) {
      const key = textAt(expression, 'key');
      const i = matched.lastIndexOf(key);
      if (i >= 0 && seen.has(key))
        found.invalid(`${at}[${i}]`, key, 'exists in both matchLabelKeys and labelSelector');
      seen.add(key);
    }
  }
  const mismatched = new Set(textsAt(term, 'mismatchLabelKeys'));
  matched.forEach((key, i) => {
    if (mismatched.has(key))
      found.invalid(`${at}.matchLabelKeys[${i}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys');
  });
}

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];

export function topologySpread(found: Findings, constraints: readonly JsonObject[], at: string): void {
  const keyOf = (one: JsonObject): string =>
    `{${textAt(one, 'topologyKey')}, ${textAt(one, 'whenUnsatisfiable')}}`;
  constraints.forEach((one, i) => {
    const place = `${at}[${i}]`;
    const aboveZero = (name: string): void => {
      const value = integerAt(one, name);
      if (value <= 0) found.invalid(`${place}.${name}`, value, 'must be greater than zero');
    };
    aboveZero('maxSkew');
    found.needs(one, place, 'topologyKey', 'can not be empty');
    found.among(one, place, 'whenUnsatisfiable', ACTIONS, 'bad');
    if (constraints.slice(i + 1).some((other) => keyOf(other) === keyOf(one)))
      found.duplicate(`${place}.{topologyKey, whenUnsatisfiable}`, keyOf(one));
    if (isSet(one, 'minDomains')) {
      aboveZero('minDomains');
      const action = textAt(one, 'whenUnsatisfiable');
      if (action !== 'DoNotSchedule')
        found.invalid(
          `${place}.minDomains`,
          integerAt(one, 'minDomains'),
          `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`,
        );
    }
    found.among(one, place, 'nodeAffinityPolicy', ['Honor', 'Ignore']);
    found.among(one, place, 'nodeTaintsPolicy', ['Honor', 'Ignore']);
    labelKeys(found, one, place);
    labelSelector(found, partAt(one, 'labelSelector'), `${place}.labelSelector`);
  });
}

export function tolerations(found: Findings, list: readonly JsonObject[], at: string): void {
  list.forEach((one, i) => {
    const place = `${at}[${i}]`;
    const [key, operator, value, effect] = ['key', 'operator', 'value', 'effect'].map((name) =>
      textAt(one, name),
    );
    found.form(one, place, 'key', labelKeyProblems);
    if (key === '' && operator !== 'Exists')
      found.invalid(
        `${place}.operator`,
        operator ?? '',
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      );
    if (isSet(one, 'tolerationSeconds') && effect !== 'NoExecute')
      found.invalid(
        `${place}.effect`,
        effect ?? '',
        "effect must be 'NoExecute' when `tolerationSeconds` is set",
      );
    switch (operator) {
      case '':
      case 'Equal': {
        const problems = labelValueProblems(value ?? '');
        if (problems.length > 0) found.invalid(`${place}.operator`, value ?? '', problems.join(';'));
        break;
      }
      case 'Exists':
        if (value !== '')
          found.invalid(`${place}.operator`, value ?? '', "value must be empty when `operator` is 'Exists'");
        break;
      case 'Lt':
      case 'Gt':
        found.notSupported(`${place}.operator`, operator, ['Equal', 'Exists', 'Lt', 'Gt']);
        break;
      default:
        found.notSupported(`${place}.operator`, operator ?? '', ['Equal', 'Exists']);
    }
    found.among(one, place, 'effect', EFFECTS);
  });
}
