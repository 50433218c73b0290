import type { LedgerReads } from '../../ledger/ledger.ts';
import type { Commitment } from '../../solana/commitment.ts';
import { flattenedCommitment } from '../params/configs.ts';
import { verifyAddress } from '../params/keys.ts';
import { bool, string, u64 } from '../params/primitives.ts';
import { optional, struct } from '../params/struct.ts';
import { tryParse } from '../../solana/byte-reader.ts';
import { VOTE_PROGRAM } from '../../programs/addresses.ts';
import { readVoteState } from '../parsed/vote-state.ts';
import { defineMethod } from '../rpc-method.ts';
import { activeStakes } from '../cluster/active-stakes.ts';
import { epochOf } from '../cluster/leader-epochs.ts';

/** Agave `RpcGetVoteAccountsConfig`. */
const voteAccountsConfig = struct<{
  readonly votePubkey: string | undefined;
  readonly commitment: Commitment | undefined;
  readonly keepUnstakedDelinquents: boolean | undefined;
  readonly delinquentSlotDistance: bigint | undefined;
}>(
  'RpcGetVoteAccountsConfig',
  {
    votePubkey: optional(string),
    commitment: flattenedCommitment,
    keepUnstakedDelinquents: optional(bool),
    delinquentSlotDistance: optional(u64),
  },
  { hasFlattened: true },
);

/**
 * Slots without a vote after which a validator is delinquent (Agave `DELINQUENT_VALIDATOR_SLOT_DISTANCE`).
 */
const DELINQUENT_SLOTS = 128n;

/** Epochs whose credits are listed (Agave `MAX_RPC_VOTE_ACCOUNT_INFO_EPOCH_CREDITS_HISTORY`). */
const CREDITS_TOLD = 5;

/**
 * `getVoteAccounts([config]?)`: vote accounts with their active stake in this epoch. This node votes by
 * producing blocks, without vote transactions: its last vote and root are the last finished slot.
 */
export const getVoteAccounts = defineMethod(
  'getVoteAccounts',
  { required: [], optional: [voteAccountsConfig] },
  (node, config) => {
    const wanted = config?.votePubkey === undefined ? undefined : verifyAddress(config.votePubkey);
    const slot = BigInt(node.ledger.head().slot);
    const oldest = slot - (config?.delinquentSlotDistance ?? DELINQUENT_SLOTS);
    const infos = voteAccounts(node.ledger, epochOf(node.ledger, slot)).filter(
      ({ votePubkey }) => wanted === undefined || votePubkey === wanted,
    );
    const isCurrent = ({ lastVote }: VoteAccountInfo): boolean => lastVote > (oldest > 0n ? oldest : 0n);
    const isTold = ({ activatedStake }: VoteAccountInfo): boolean =>
      config?.keepUnstakedDelinquents === true || activatedStake > 0n;
    return {
      current: infos.filter(isCurrent),
      delinquent: infos.filter((info) => !isCurrent(info) && isTold(info)),
    };
  },
);

/** Agave `RpcVoteAccountInfo`. */
type VoteAccountInfo = ReturnType<typeof voteAccounts>[number];

function voteAccounts(ledger: LedgerReads, epoch: bigint) {
  const stakes = activeStakes(ledger, epoch);
  const finished = BigInt(ledger.finishedHead().slot);
  return Array.from(ledger.programAccounts(VOTE_PROGRAM)).flatMap(([votePubkey, { data }]) => {
    const state = tryParse(() => readVoteState({ address: votePubkey, data }));
    if (state === undefined) return [];
    const isOurs = state.nodePubkey === ledger.identity;
    return [
      {
        activatedStake: stakes.get(votePubkey) ?? 0n,
        commission: state.commission,
        epochCredits: state.epochCredits
          .slice(-CREDITS_TOLD)
          .map((entry) => [entry.epoch, BigInt(entry.credits), BigInt(entry.previousCredits)]),
        epochVoteAccount: stakes.has(votePubkey),
        lastVote: isOurs ? finished : (state.votes.at(-1)?.slot ?? 0n),
        nodePubkey: state.nodePubkey,
        rootSlot: isOurs ? finished : (state.rootSlot ?? 0n),
        votePubkey,
      },
    ];
  });
}
