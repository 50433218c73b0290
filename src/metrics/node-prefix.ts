/** What the names of a node's figures begin with. */
export type NodePrefix = 'ledger' | 'rollup';
