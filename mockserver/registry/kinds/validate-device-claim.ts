/** Validation of what asks for devices: claims, their templates and classes. Source: kubernetes apis/resource/validation/validation.go. */
import { type JsonObject, jsonEqual, member } from '../../ground/json.js';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../ground/name-syntax.js';
import { type ApiObject, labelOf, namespaceOf } from '../../ground/object.js';
import { eachOf, eachOfSet } from '../../schema/validation/bounded-lists.js';
import {
  flagAt,
  integerAt,
  isSet,
  itemsAt,
  partAt,
  partOrEmpty,
  textAt,
} from '../../schema/validation/field-values.js';
import { type Findings, IMMUTABLE } from '../../schema/validation/findings.js';
import { type KindContext } from '../kind-context.js';
import { type KindValidation } from '../kind-validation.js';
import { requestNamesOf } from './device-request-names.js';
import { selectorExpression } from './device-selector.js';
import { isExtended } from './resource-names.js';
import { claimStatus } from './validate-device-claim-status.js';
import { deviceConfiguration, requestReferences } from './validate-device-configuration.js';
import { fullyQualifiedName } from './validate-device-names.js';
import { deviceToleration } from './validate-device-taint.js';
import { templateMetadata } from './validate-pod-volumes.js';

const GROUP = 'resource.k8s.io';
const MOST_OF_A_LIST = 32;
const MOST_ALTERNATIVES = 8;

const specOf = (object: ApiObject): JsonObject => partOrEmpty(object, 'spec');

function deviceClaim(found: Findings, claim: JsonObject, at: string): void {
  const names = requestNamesOf(claim);
  eachOfSet(
    found,
    itemsAt(claim, 'requests'),
    `${at}.requests`,
    MOST_OF_A_LIST,
    (request, place) => {
      deviceRequest(found, request, place);
    },
    (request) => textAt(request, 'name'),
  );
  eachOf(found, itemsAt(claim, 'constraints'), `${at}.constraints`, MOST_OF_A_LIST, (constraint, place) => {
    requestReferences(found, constraint, place, names);
    if (isSet(constraint, 'matchAttribute'))
      fullyQualifiedName(found, textAt(constraint, 'matchAttribute'), `${place}.matchAttribute`);
    else if (isSet(constraint, 'distinctAttribute'))
      fullyQualifiedName(found, textAt(constraint, 'distinctAttribute'), `${place}.distinctAttribute`);
    else
      found.required(
        place,
        'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set',
      );
  });
  eachOf(found, itemsAt(claim, 'config'), `${at}.config`, MOST_OF_A_LIST, (config, place) => {
    requestReferences(found, config, place, names);
    deviceConfiguration(found, config, place, false);
  });
}

const ONE_FORM = 'exactly one of `exactly` or `firstAvailable` is required';

function deviceRequest(found: Findings, request: JsonObject, at: string): void {
  found.problems(`${at}.name`, textAt(request, 'name'), dns1123LabelProblems);
  const exactly = partAt(request, 'exactly');
  const alternatives = itemsAt(request, 'firstAvailable');
  if (exactly !== undefined && alternatives.length > 0)
    found.invalid(at, null, `${ONE_FORM}, but multiple fields are set`);
  else if (exactly !== undefined) requested(found, exactly, `${at}.exactly`);
  else if (alternatives.length === 0) found.required(at, ONE_FORM);
  else
    eachOfSet(
      found,
      alternatives,
      `${at}.firstAvailable`,
      MOST_ALTERNATIVES,
      (alternative, place) => {
        found.problems(`${place}.name`, textAt(alternative, 'name'), dns1123LabelProblems);
        requested(found, alternative, place);
      },
      (alternative) => textAt(alternative, 'name'),
    );
}

/** What is asked for, exactly or as one of several. */
function requested(found: Findings, request: JsonObject, at: string): void {
  found.needsForm(request, at, 'deviceClassName', dns1123SubdomainProblems);
  selectors(found, request, at);
  const mode = textAt(request, 'allocationMode');
  const count = integerAt(request, 'count');
  if (mode === 'All') {
    if (count !== 0)
      found.invalid(`${at}.count`, count, "must not be specified when allocationMode is 'All'");
  } else if (mode === 'ExactCount') {
    if (count <= 0) found.invalid(`${at}.count`, count, 'must be greater than zero');
  } else found.notSupported(`${at}.allocationMode`, mode, ['All', 'ExactCount']);
  itemsAt(request, 'tolerations').forEach((one, i) => {
    deviceToleration(found, one, `${at}.tolerations[${i}]`);
  });
}

function selectors(found: Findings, owner: JsonObject, at: string): void {
  eachOf(found, itemsAt(owner, 'selectors'), `${at}.selectors`, MOST_OF_A_LIST, (selector, place) => {
    const cel = partAt(selector, 'cel');
    if (cel === undefined) found.required(`${place}.cel`);
    else selectorExpression(found, textAt(cel, 'expression'), `${place}.cel.expression`);
  });
}

const ADMIN_LABEL = 'resource.kubernetes.io/admin-access';

/**
 * Who may use devices that others have: namespaces say so. Of several requests the first counts, and its place is named
 * alike in claims and templates.
 * Source: kubernetes registry/resource/utils.go, AuthorizedForAdmin.
 */
function adminAccess(found: Findings, claim: JsonObject, namespace: string, context: KindContext): void {
  const at = itemsAt(claim, 'requests').findIndex((request) =>
    flagAt(partOrEmpty(request, 'exactly'), 'adminAccess'),
  );
  if (at < 0) return;
  const holder = context.find('', 'namespaces', '', namespace);
  if (holder === undefined || labelOf(holder, ADMIN_LABEL) !== 'true')
    found.forbidden(
      `spec.devices.requests[${at}].adminAccess`,
      `admin access to devices requires the \`${ADMIN_LABEL}: true\` label on the containing namespace`,
    );
}

function immutableSpec(found: Findings, next: ApiObject, previous: ApiObject): void {
  const spec = specOf(next);
  if (!jsonEqual(spec, specOf(previous))) found.invalid('spec', spec, IMMUTABLE);
}

export const resourceClaimValidation: KindValidation = {
  group: GROUP,
  resource: 'resourceclaims',
  refuse(found, object, context) {
    adminAccess(found, partOrEmpty(specOf(object), 'devices'), namespaceOf(object), context);
  },
  create(found, object) {
    deviceClaim(found, partOrEmpty(specOf(object), 'devices'), 'spec.devices');
  },
  update: immutableSpec,
  status: claimStatus,
};

const templateClaim = (object: ApiObject): JsonObject =>
  partOrEmpty(partOrEmpty(specOf(object), 'spec'), 'devices');

function claimTemplate(found: Findings, object: ApiObject): void {
  templateMetadata(found, partOrEmpty(specOf(object), 'metadata'), 'spec.metadata');
  deviceClaim(found, templateClaim(object), 'spec.spec.devices');
}

export const resourceClaimTemplateValidation: KindValidation = {
  group: GROUP,
  resource: 'resourceclaimtemplates',
  refuse(found, object, context) {
    adminAccess(found, templateClaim(object), namespaceOf(object), context);
  },
  create: claimTemplate,
  update(found, next, previous) {
    claimTemplate(found, next);
    immutableSpec(found, next, previous);
  },
};

function deviceClass(found: Findings, object: ApiObject, previous?: ApiObject): void {
  const spec = specOf(object);
  selectors(found, spec, 'spec');
  const isStored =
    previous !== undefined &&
    jsonEqual(member(spec, 'config') ?? null, member(specOf(previous), 'config') ?? null);
  eachOf(found, itemsAt(spec, 'config'), 'spec.config', MOST_OF_A_LIST, (config, at) => {
    deviceConfiguration(found, config, at, isStored);
  });
  const name = textAt(spec, 'extendedResourceName');
  if (isSet(spec, 'extendedResourceName') && !isExtended(name))
    found.invalid('spec.extendedResourceName', name, 'must be a valid extended resource name');
}

export const deviceClassValidation: KindValidation = {
  group: GROUP,
  resource: 'deviceclasses',
  create(found, object) {
    deviceClass(found, object);
  },
  update: deviceClass,
};
