/** Reviews of who somebody is: by a token, or by the request itself. */
import { type User } from '../../access/user.js';
import { formatTime } from '../../ground/clock.js';
import { arrayMember, objectMember, stringMember, type JsonObject } from '../../ground/json.js';
import { badRequest } from '../../ground/status.js';
import { answering, withStatus } from '../action.js';
import { type KindRules } from '../kind-rules.js';

const GROUP = 'authentication.k8s.io';

/** A user as both reviews show one. */
export const userInfo = ({ name, uid, groups, extra }: User): JsonObject => ({
  username: name,
  ...(uid === '' ? {} : { uid }),
  ...(groups.length === 0 ? {} : { groups }),
  ...(extra === undefined || Object.keys(extra).length === 0 ? {} : { extra }),
});

/** Source: kubernetes registry/authentication/tokenreview/storage.go. */
export const tokenReviewRules: KindRules = {
  group: GROUP,
  resource: 'tokenreviews',
  action(review, context) {
    const spec = objectMember(review, 'spec');
    const token = stringMember(spec, 'token') ?? '';
    if (token === '') throw badRequest('token is required for TokenReview in authentication');
    const asked = (arrayMember(spec, 'audiences') ?? []).filter((one) => typeof one === 'string');
    const found = context.reviewToken(token, asked);
    return answering(
      withStatus(
        review,
        found.ok
          ? { authenticated: true, user: userInfo(found.user), audiences: found.audiences }
          : { user: {}, error: found.error },
      ),
    );
  },
};

/** Source: kubernetes registry/authentication/selfsubjectreview/rest.go. */
export const selfSubjectReviewRules: KindRules = {
  group: GROUP,
  resource: 'selfsubjectreviews',
  action: (review, { user, clock }) =>
    answering({
      kind: review.kind,
      apiVersion: review.apiVersion,
      metadata: { creationTimestamp: formatTime(clock.now()) },
      status: { userInfo: userInfo(user) },
    }),
};
