import { getVersion } from '../../methods/get-version.ts';
import type { ConnectionMethod } from '../subscription-method.ts';
import { accountSubscribe } from './account-subscribe.ts';
import { blockSubscribe } from './block-subscribe.ts';
import { logsSubscribe } from './logs-subscribe.ts';
import { programSubscribe } from './program-subscribe.ts';
import { rootSubscribe } from './root-subscribe.ts';
import { signatureSubscribe } from './signature-subscribe.ts';
import { slotSubscribe } from './slot-subscribe.ts';
import { slotsUpdatesSubscribe } from './slots-updates-subscribe.ts';
import { unsubscribe } from './unsubscribe.ts';
import { voteSubscribe } from './vote-subscribe.ts';

/**
 * The methods of a WebSocket: Agave's `RpcSolPubSub` without {@link VOTE_METHODS}. `getVersion` is the only
 * ordinary method among them.
 */
export const PUBSUB_METHODS: readonly ConnectionMethod[] = [
  accountSubscribe,
  unsubscribe('accountUnsubscribe'),
  programSubscribe,
  unsubscribe('programUnsubscribe'),
  logsSubscribe,
  unsubscribe('logsUnsubscribe'),
  signatureSubscribe,
  unsubscribe('signatureUnsubscribe'),
  slotSubscribe,
  unsubscribe('slotUnsubscribe'),
  slotsUpdatesSubscribe,
  unsubscribe('slotsUpdatesUnsubscribe'),
  blockSubscribe,
  unsubscribe('blockUnsubscribe'),
  rootSubscribe,
  unsubscribe('rootUnsubscribe'),
  { name: getVersion.name, on: () => getVersion },
];

/** Served only with `--rpc-pubsub-enable-vote-subscription`; unknown otherwise. */
export const VOTE_METHODS: readonly ConnectionMethod[] = [voteSubscribe, unsubscribe('voteUnsubscribe')];
