export { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../ledger/network-programs/testing/layout-b-dumps.ts';
