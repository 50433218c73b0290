import { getVersion } from '../../methods/cluster-methods.ts';
import { type ConnectionMethod, unsubscribe } from '../subscription-method.ts';
import {
  accountSubscribe,
  logsSubscribe,
  programSubscribe,
  signatureSubscribe,
} from './account-subscriptions.ts';
import { blockSubscribe } from './block-subscribe.ts';
import { rootSubscribe, slotSubscribe, slotsUpdatesSubscribe } from './slot-subscriptions.ts';

/**
 * The methods of a WebSocket: Agave's `RpcSolPubSub` without `voteSubscribe`, because no votes are sent here.
 * `getVersion` is the only ordinary method among them.
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
