import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { MessageTemplate, type FilledTemplate } from '../../solana/message-template.ts';
import { remember } from '../building/remember.ts';
import { planDepositA, type DepositPlanA } from './plan-a.ts';

/**
 * The contents of a deposit on layout A: the instructions of {@link planDepositA}, from a message template if
 * possible. Deposits of one mint with the same switches differ only in the owner, the addresses derived from
 * it, the validator and the amount.
 */
export function writeDepositA(plan: DepositPlanA): FilledTemplate | readonly Instruction[] {
  const { accounts, payer, amount, validator, permission } = plan;
  const { owner, ownerAta, eata, delegation } = accounts;
  // The template covers the common case: the owner pays and the validator is named.
  if (payer !== owner || validator === null || permission?.delegateTo != null) return planDepositA(plan);
  const { buffer, record, metadata } = delegation;
  const template = templateOf(accounts.tokenProgram)(accounts.mint)(switchesOf(plan), plan);
  // The template does not fit if two of the addresses coincide.
  return (
    template.fillIn(
      [owner, ownerAta, eata.address, buffer, record, metadata, accounts.permission, validator],
      [amount, BigInt(eata.bump)],
    ) ?? planDepositA(plan)
  );
}

type Changing = readonly [Address, Address, Address, Address, Address, Address, Address, Address];

const templateOf = remember(2, (tokenProgram) =>
  remember(64, (mint) =>
    remember(
      32,
      (switches, plan: DepositPlanA) =>
        new MessageTemplate({
          name: `deposit ${tokenProgram} ${mint} ${switches}`,
          addressCount: 8,
          numberSizes: [8, 1],
          contain: (addresses, [amount = 0n, bump]) => {
            const [owner, ownerAta, eata, buffer, record, metadata, permission, validator] =
              addresses as Changing;
            const accounts = {
              ...plan.accounts,
              owner,
              ownerAta,
              eata: { address: eata, bump: Number(bump) },
              delegation: { buffer, record, metadata },
              permission,
            };
            return {
              feePayer: owner,
              instructions: planDepositA({ ...plan, accounts, payer: owner, amount, validator }),
            };
          },
        }),
    ),
  ),
);

/** Everything in a plan that determines which instructions there are, as a key. */
function switchesOf({ creates, permission }: DepositPlanA): string {
  let bits = Number(creates.eata) | (Number(creates.vault) << 1) | (Number(creates.ownerAta) << 2);
  if (permission !== null) bits |= 8 | (Number(permission.resets === true) << 4) | (permission.flags << 5);
  return String(bits);
}
