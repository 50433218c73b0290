import { describe, expect, it } from 'vitest';
import { bareGenesis, stakedValidator } from '../../ledger/genesis/genesis.ts';
import { openTestLedger } from '../../ledger/testing/test-ledger.ts';
import { VOTE_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const [ONE, TWO, THREE] = [1, 2, 3].map(addressFilledWith) as [Address, Address, Address];

describe('getVoteAccounts', () => {
  it.each([
    undefined,
    '[null]',
    '[{"keepUnstakedDelinquents":true,"delinquentSlotDistance":5,"commitment":"confirmed"}]',
    '[{"votePubkey":"11111111111111111111111111111111"}]',
  ])('returns no votes for %s without voters', async (params) => {
    expect(await callForText(new FixedLedger(), 'getVoteAccounts', params)).toBe(
      '"result":{"current":[],"delinquent":[]}',
    );
  });

  describe('on a ledger with a validator (bug: it was empty)', () => {
    it('returns the node and its stake, and shows it as voting', async () => {
      const { ledger, clock } = await openTestLedger({ genesis: bareGenesis() });
      clock.pass(400_000);
      const [votePubkey] = Array.from(ledger.programAccounts(VOTE_PROGRAM), ([address]) => address);
      const lastVote = ledger.head().slot - 1;
      const info = {
        activatedStake: 999_999_997_717_120,
        commission: 0,
        epochCredits: [],
        epochVoteAccount: true,
        lastVote,
        nodePubkey: ledger.identity,
        rootSlot: lastVote,
        votePubkey,
      };
      const told = { result: { current: [info], delinquent: [] } };
      expect(await callMethod(ledger, 'getVoteAccounts')).toEqual(told);
      expect(await callMethod(ledger, 'getVoteAccounts', { votePubkey })).toEqual(told);
      expect(await callMethod(ledger, 'getVoteAccounts', { votePubkey: ledger.identity })).toEqual({
        result: { current: [], delinquent: [] },
      });
      expect(await callMethod(ledger, 'getBlockCommitment', lastVote)).toEqual({
        result: { commitment: null, totalStake: 999_999_997_717_120 },
      });
      await ledger.close();
    });

    it('returns other validators that do not vote as delinquent', async () => {
      const { ledger } = await openTestLedger({ genesis: bareGenesis() });
      const own = stakedValidator({ identity: ONE, vote: TWO, stake: THREE });
      await ledger.setAccounts([...own].filter(([address]) => address !== THREE));
      const delinquents = async (config?: object): Promise<unknown> => {
        const { result } = await callMethod(ledger, 'getVoteAccounts', config);
        return (result as { delinquent: readonly { votePubkey: string }[] }).delinquent.map(
          ({ votePubkey }) => votePubkey,
        );
      };
      expect(await delinquents()).toEqual([]);
      expect(await delinquents({ keepUnstakedDelinquents: true })).toEqual([TWO]);
      await ledger.setAccounts([...stakedValidator({ identity: ONE, vote: TWO, stake: THREE })]);
      expect(await delinquents()).toEqual([TWO]);
      await ledger.close();
    });
  });

  it('rejects a vote account that is not an address', async () => {
    expect(await callMethod(new FixedLedger(), 'getVoteAccounts', { votePubkey: 'x' })).toEqual(
      invalidParamsError('Invalid param: WrongSize'),
    );
  });
});
