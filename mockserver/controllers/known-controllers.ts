/** Which controllers there are, by the names that kube-controller-manager gives them; and the fake node. */
import { type Controller } from './controller.js';
import { disruptionController } from './disruption/disruption-controller.js';
import { garbageCollector } from './garbage-collection/garbage-collector.js';
import { namespaceController } from './namespaces/namespace-controller.js';
import { fakeNode, type FakeNodeSettings } from './nodes/fake-node.js';
import { PodRules } from './nodes/pod-rules.js';
import { PLACEHOLDER_CERTIFICATE } from './placeholder-certificate.js';
import { rootCertificatePublisher } from './service-accounts/root-certificate-publisher.js';
import { serviceAccountController } from './service-accounts/service-account-controller.js';
import { tokenController } from './service-accounts/token-controller.js';
import { deploymentController } from './workloads/deployment-controller.js';
import { replicaSetController } from './workloads/replica-set-controller.js';

/** All of them. */
const EVERY = '*';

export interface ControllerSettings {
  /** In PEM, of the authority that signed the server's certificate. @default one that signed nothing */
  readonly certificateAuthority?: string | undefined;
  /** @default pods are ready at once */
  readonly fakeNode?: FakeNodeSettings | undefined;
}

/** Part of no kube-controller-manager, so it is not among `*`. */
const FAKE_NODE = 'fake-node';

/** In the order in which they take their turns. */
const knownControllers = ({
  certificateAuthority = PLACEHOLDER_CERTIFICATE,
  fakeNode: node = { rules: new PodRules() },
}: ControllerSettings): readonly Controller[] => [
  serviceAccountController,
  rootCertificatePublisher(certificateAuthority),
  tokenController(certificateAuthority),
  deploymentController,
  replicaSetController,
  disruptionController,
  garbageCollector,
  namespaceController,
  fakeNode(node),
];

/**
 * The controllers of these names, each once; `*` stands for all but the fake node, `-name` takes one away.
 *
 * Errors: RangeError that lists the names there are.
 */
export function controllersNamed(
  names: readonly string[],
  settings: ControllerSettings = {},
): readonly Controller[] {
  const known = knownControllers(settings);
  const wanted = new Set<string>();
  for (const one of names) {
    const name = one.replace(/^-/, '');
    if (name !== EVERY && !known.some((controller) => controller.name === name)) {
      throw new RangeError(
        `controllers: there is no ${name}; there are ${known.map((controller) => controller.name).join(', ')}, and * for all`,
      );
    }
    if (one.startsWith('-')) continue;
    if (name !== EVERY) wanted.add(name);
    else for (const controller of known) if (controller.name !== FAKE_NODE) wanted.add(controller.name);
  }
  for (const one of names) if (one.startsWith('-')) wanted.delete(one.slice(1));
  return known.filter(({ name }) => wanted.has(name));
}
