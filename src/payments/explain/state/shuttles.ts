import type { Address } from '../../../solana/address.ts';
import { isShuttleTaken } from '../../accounts/shuttle.ts';
import type { ExplainedCalls } from '../explain-calls.ts';
import type { Finding } from '../finding.ts';
import type { Difference } from '../request/compare.ts';
import { faultDifferences, faultFindings, type InstructionFault } from './instruction-fault.ts';

/** Instructions that move tokens with a new shuttle. */
const CARRYING: ReadonlySet<string> = new Set(['depositByShuttle', 'privateTransfer', 'withdrawByShuttle']);

/** The shuttles that a transaction fills: the addresses of their metadata and their eATA. */
export const shuttlesOf = ({
  calls,
}: ExplainedCalls): { readonly shuttle: Address; readonly shuttleEata: Address }[] =>
  calls.flatMap(({ matched, reading }) => {
    if (matched === null || !CARRYING.has(matched.form.action)) return [];
    const [shuttle, shuttleEata] = [reading?.account('shuttle'), reading?.account('shuttleEata')];
    return shuttle && shuttleEata ? [{ shuttle, shuttleEata }] : [];
  });

/** The eATAs that a transaction has to delegate so that its tokens move. */
export const shuttleEatasOf = (explained: ExplainedCalls): ReadonlySet<Address> =>
  new Set(shuttlesOf(explained).map(({ shuttleEata }) => shuttleEata));

/** Shuttles that a transaction wants to fill and cannot, by instruction. */
function takenShuttles({ calls }: ExplainedCalls): InstructionFault[] {
  return calls.flatMap(({ matched, reading }, instruction) => {
    if (matched === null || reading === null || !CARRYING.has(matched.form.action)) return [];
    const [shuttle = null, shuttleEata = null] = [
      reading.accountOf('shuttle'),
      reading.accountOf('shuttleEata'),
    ];
    if (!isShuttleTaken({ shuttle, shuttleEata })) return [];
    const what = isShuttleTaken({ shuttle, shuttleEata: null })
      ? 'is there already'
      : `cannot carry anything, since its eATA ${reading.name('shuttleEata')} is delegated already`;
    return [{ instruction, message: `shuttle ${reading.name('shuttle')} ${what}` }];
  });
}

/** The program treats a repeated id as a repeated transaction: it charges its fee and moves nothing. */
export const shuttleFindings = (explained: ExplainedCalls): Finding[] =>
  faultFindings(
    takenShuttles(explained),
    'SHUTTLE_TAKEN',
    ', so that the program would take its fee and move nothing',
  );

/** The same as differences from a request. */
export const shuttleDifferences = (explained: ExplainedCalls): Difference[] =>
  faultDifferences(takenShuttles(explained), 'shuttleId', 'the id of no shuttle yet');
