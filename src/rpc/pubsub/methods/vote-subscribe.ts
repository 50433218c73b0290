import { writeJson } from '../../../json/write-json.ts';
import { VOTE_PROGRAM } from '../../../programs/addresses.ts';
import type { Address } from '../../../solana/address.ts';
import type { RpcNode } from '../../rpc-node.ts';
import { readVoteState } from '../../parsed/vote-state.ts';
import { tryParse } from '../../../solana/byte-reader.ts';
import type { SlotEnded } from '../happening.ts';
import { defineSubscription } from '../subscription-method.ts';
import { SLOT_ENDED } from '../topic.ts';

/** The signature shown for a vote that is not a transaction. */
const NO_SIGNATURE = '1'.repeat(64);

/**
 * `voteSubscribe([])`: a vote for every finished slot (Agave `RpcVote`), by the vote account that
 * getVoteAccounts shows for this node. A single node needs no consensus, so no vote lands as a transaction:
 * the signature is all zeros, and votes end when the vote account is deleted.
 */
export const voteSubscribe = defineSubscription('voteSubscribe', { required: [], optional: [] }, (node) => ({
  key: 'vote',
  notification: 'voteNotification',
  sources: [SLOT_ENDED],
  results(happening) {
    if (happening.kind !== 'slot-ended') return [];
    const votePubkey = voteAccountOf(node);
    const block = happening.block();
    if (votePubkey === undefined || block === null) return [];
    return [writeJson(showVote(votePubkey, happening, block))];
  },
}));

function showVote(votePubkey: Address, { slot }: SlotEnded, block: { blockhash: string; blockTime: number }) {
  return {
    votePubkey,
    slots: [slot],
    hash: block.blockhash,
    timestamp: block.blockTime,
    signature: NO_SIGNATURE,
  };
}

/** The vote account of this node. */
function voteAccountOf({ ledger }: RpcNode): Address | undefined {
  for (const [address, { data }] of ledger.programAccounts(VOTE_PROGRAM)) {
    const state = tryParse(() => readVoteState({ address, data }));
    if (state?.nodePubkey === ledger.identity) return address;
  }
  return undefined;
}
