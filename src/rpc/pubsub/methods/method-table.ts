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

/**
 * What can be called over a WebSocket: Agave's `RpcSolPubSub`. There are no votes here, so `voteSubscribe` is unknown,
 * as on an Agave node that was not told to offer it. `getVersion` is the one ordinary method among these.
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
