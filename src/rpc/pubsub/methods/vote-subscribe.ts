import { writeJson } from '../../../json/write-json.ts';
import { VOTE_PROGRAM } from '../../../programs/addresses.ts';
import type { Address } from '../../../solana/address.ts';
import type { RpcNode } from '../../rpc-node.ts';
import { readVoteState } from '../../parsed/vote-state.ts';
import { tryParse } from '../../../solana/byte-reader.ts';
import type { SlotEnded } from '../happening.ts';
import { defineSubscription } from '../subscription-method.ts';
import { SLOT_ENDED } from '../topic.ts';

/** What stands for the signature of a vote that is no transaction. */
const NO_SIGNATURE = '1'.repeat(64);

/**
 * `voteSubscribe([])`: a vote for every slot that is over (Agave `RpcVote`), in the name of the vote account
 * that getVoteAccounts shows for this node. The node alone decides, so no vote lands as a transaction: its
 * signature is all zeros, and none is told once the vote account is gone.
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
