/** Ingresses: the class that serves them when they name none. */
import { type KindRules } from '../kind-rules.js';
import { withDefaultClass } from './class-admission.js';

/** Source: kubernetes plugin/pkg/admission/network/defaultingressclass. */
export const ingressRules: KindRules = {
  group: 'networking.k8s.io',
  resource: 'ingresses',
  admit: (object, previous, context) =>
    previous === undefined
      ? withDefaultClass(
          object,
          {
            classes: { group: 'networking.k8s.io', resource: 'ingressclasses' },
            mark: 'ingressclass.kubernetes.io/is-default-class',
            name: 'ingressClassName',
            oldAnnotation: 'kubernetes.io/ingress.class',
          },
          context,
        )
      : object,
};
