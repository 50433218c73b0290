import { getVersion } from '../../methods/cluster-methods.ts';
import { type ConnectionMethod, unsubscribe } from '../subscription-method.ts';
import {
  accountSubscribe,
  logsSubscribe,
  programSubscribe,
  signatureSubscribe,
} from './account-subscriptions.ts';
import { blockSubscribe } from './block-subscribe.ts';
import { rootSubscribe, slotSubscribe, slotsUpdatesSubscribe, voteSubscribe } from './slot-subscriptions.ts';

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
