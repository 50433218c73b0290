import { deriveDepositAccounts } from '../../accounts/deposit-accounts.ts';
import { depositOptionsB } from '../../deposit/draft-b.ts';
import { planDepositA } from '../../deposit/plan-a.ts';
import { planDepositB } from '../../deposit/plan-b.ts';
import type { DepositInput } from '../../deposit/request.ts';
import { deriveShuttle } from '../../accounts/shuttle.ts';
import { expectedValidator, type Expectation, type ExpectationSource } from './expectation.ts';
import { expectReaders, NOT_PRIVATE } from './expect-readers.ts';
import { expectedWrap } from './expect-wrap.ts';

/** Permission flags of a private deposit: the owner alone, whom the program makes the authority by itself. */
const OWNER_ONLY = 0;

/** The transaction of a deposit. */
export function expectDeposit(input: DepositInput, source: ExpectationSource): Expectation {
  const { chain, hints } = source;
  const mint = input.mint ?? chain.defaultMint;
  const { validator, doubts } = expectedValidator(input.validator, source);
  const accounts = deriveDepositAccounts(input.owner, mint, hints.tokenProgramOf(mint));
  const base = { accounts, payer: input.owner, amount: input.amount, validator };
  const reading = (input.private ?? true) ? expectReaders(accounts, source) : NOT_PRIVATE;
  const claims = {
    owner: input.owner,
    amount: input.amount.toString(),
    mint,
    validator,
    private: String(input.private ?? true),
  };
  if (chain.layout === 'a') {
    const instructions = planDepositA({
      ...base,
      initEata: input.initIfMissing ?? true,
      // Left to the builder, who has looked whether there is a vault.
      initVault: input.initVaultIfMissing ?? hints.actions.includes('initVault'),
      initOwnerAta: input.initAtasIfMissing ?? false,
      permission:
        (input.private ?? true) ? { flags: OWNER_ONLY, resets: reading.resets, delegateTo: null } : null,
    });
    return {
      sendTo: 'base',
      feePayer: input.owner,
      instructions,
      claims,
      doubts: [...doubts, ...reading.doubts],
      differences: reading.differences,
    };
  }
  const { byShuttle, ...options } = depositOptionsB(input);
  const wrapping = expectedWrap(hints, { mint, ata: accounts.ownerAta, wanted: input.amount });
  const instructions = planDepositB({
    ...base,
    ...options,
    shuttle: byShuttle ? deriveShuttle(accounts, hints.shuttleId ?? 0) : null,
    wrap: wrapping.wrap,
  });
  return {
    sendTo: 'base',
    feePayer: input.owner,
    instructions,
    claims,
    doubts: [...doubts, ...wrapping.doubts, ...reading.doubts],
    differences: reading.differences,
  };
}
