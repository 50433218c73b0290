import { deriveDepositAccounts } from '../../accounts/deposit-accounts.ts';
import { deriveShuttle } from '../../accounts/shuttle.ts';
import { DEPOSIT_LAYOUTS } from '../../deposit/layouts.ts';
import { ownersPermission } from '../../deposit/plan.ts';
import type { DepositInput } from '../../deposit/request.ts';
import { NO_WRAP } from '../../mints/wrapped-sol.ts';
import { expectedValidator, type Expectation, type ExpectationSource } from './expectation.ts';
import { expectReaders, NOT_PRIVATE } from './expect-readers.ts';
import { expectedWrap } from './expect-wrap.ts';

/** The expected transaction of a deposit. */
export function expectDeposit(input: DepositInput, source: ExpectationSource): Expectation {
  const { chain, hints } = source;
  const { owner, amount } = input;
  const layout = DEPOSIT_LAYOUTS[chain.layout];
  const { byShuttle, isPrivate, creates } = layout.switchesOf(input);
  const mint = input.mint ?? chain.defaultMint;
  const { validator, doubts } = expectedValidator(input.validator, source);
  const accounts = deriveDepositAccounts(owner, mint, hints.tokenProgramOf(mint));
  const reading = isPrivate ? expectReaders(accounts, source) : NOT_PRIVATE;
  const wrapping = layout.hasShuttles
    ? expectedWrap(source, { mint, ata: accounts.ownerAta, wanted: amount })
    : { wrap: NO_WRAP, doubts: [] };
  const instructions = layout.plan({
    accounts,
    payer: owner,
    amount,
    validator,
    // Left to the builder, who has checked whether the vault exists.
    creates: { ...creates, vault: creates.vault ?? hints.actions.includes('initVault') },
    permission: isPrivate ? ownersPermission(reading.resets) : null,
    shuttle: byShuttle ? deriveShuttle(accounts, hints.shuttleId ?? 0) : null,
    wrap: wrapping.wrap,
  });
  return {
    sendTo: 'base',
    feePayer: owner,
    instructions,
    claims: { owner, amount: amount.toString(), mint, validator, private: String(isPrivate) },
    doubts: [...doubts, ...wrapping.doubts, ...reading.doubts],
    mints: [mint],
    differences: reading.differences,
  };
}
