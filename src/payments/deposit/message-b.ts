import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { MessageTemplate, type FilledTemplate } from '../../solana/message-template.ts';
import { remember } from '../building/remember.ts';
import { NO_WRAP } from '../mints/wrapped-sol.ts';
import { planDepositB } from './plan-b.ts';
import type { DepositPlan } from './plan.ts';

/**
 * The contents of a deposit on layout B: the instructions of {@link planDepositB}, from a message template if
 * possible. Deposits of one mint by shuttle with the same switches differ only in the owner, the addresses
 * derived from it, the shuttle, the validator and the amount.
 */
export function writeDepositB(plan: DepositPlan): FilledTemplate | readonly Instruction[] {
  const { accounts, payer, amount, validator, permission, shuttle } = plan;
  // The template covers the common case: the owner pays, a shuttle carries the tokens, nothing is wrapped.
  if (shuttle === null || payer !== accounts.owner || plan.wrap !== NO_WRAP) return planDepositB(plan);
  if (permission?.delegateTo != null) return planDepositB(plan);
  const template = templateOf(accounts.tokenProgram)(accounts.mint)(switchesOf(plan), plan);
  // The template does not fit if two of the addresses coincide.
  return (
    template.fillIn(
      [
        accounts.owner,
        accounts.ownerAta,
        accounts.eata.address,
        accounts.delegation.buffer,
        accounts.delegation.record,
        accounts.delegation.metadata,
        accounts.permission,
        validator,
        shuttle.accounts.metadata,
        shuttle.accounts.eata,
        shuttle.accounts.walletAta,
        shuttle.delegation.buffer,
        shuttle.delegation.record,
        shuttle.delegation.metadata,
      ],
      [amount, BigInt(shuttle.id)],
    ) ?? planDepositB(plan)
  );
}

const ADDRESS_COUNT = 14;

/** Bytes of the amount and of the shuttle's id. */
const NUMBER_SIZES = [8, 4];

const templateOf = remember(2, (tokenProgram) =>
  remember(64, (mint) =>
    remember(
      32,
      (switches, plan: DepositPlan) =>
        new MessageTemplate({
          name: `deposit by shuttle ${tokenProgram} ${mint} ${switches}`,
          addressCount: ADDRESS_COUNT,
          numberSizes: NUMBER_SIZES,
          contain: (addresses, [amount = 0n, shuttleId]) => {
            const changed = withAddresses(plan, addresses, Number(shuttleId));
            return { feePayer: changed.payer, instructions: planDepositB({ ...changed, amount }) };
          },
        }),
    ),
  ),
);

type Six = readonly [Address, Address, Address, Address, Address, Address];
type Changing = readonly [Address, Address, ...Six, ...Six];

/** The plan with other addresses, in the order of {@link writeDepositB}. */
function withAddresses(plan: DepositPlan, addresses: readonly Address[], shuttleId: number): DepositPlan {
  const [owner, ownerAta, eata, buffer, record, metadata, permission, validator, ...shuttle] =
    addresses as Changing;
  const [shuttleMetadata, shuttleEata, walletAta, shuttleBuffer, shuttleRecord, recordMetadata] = shuttle;
  return {
    ...plan,
    payer: owner,
    validator,
    accounts: {
      ...plan.accounts,
      owner,
      ownerAta,
      eata: { ...plan.accounts.eata, address: eata },
      delegation: { buffer, record, metadata },
      permission,
    },
    shuttle: {
      id: shuttleId,
      accounts: { metadata: shuttleMetadata, eata: shuttleEata, walletAta },
      delegation: { buffer: shuttleBuffer, record: shuttleRecord, metadata: recordMetadata },
    },
  };
}

/** Everything else in a plan that determines which instructions there are, as a key. */
function switchesOf({ creates, permission }: DepositPlan): string {
  const bits = Number(creates.eata) | (Number(creates.vault) << 1) | (Number(creates.ownerAta) << 2);
  return permission === null ? String(bits) : `${bits} ${permission.flags}`;
}
