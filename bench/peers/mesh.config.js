/** Makes a supergraph of one REST operation, from a sample of its answer. Read by `mesh-compose`. */
import { defineConfig } from '@graphql-mesh/compose-cli'
import { loadJSONSchemaSubgraph } from '@omnigraph/json-schema'

export const composeConfig = defineConfig({
  subgraphs: [
    {
      sourceHandler: loadJSONSchemaSubgraph('Repositories', {
        endpoint: process.env.UPSTREAM,
        operations: [
          {
            type: 'Query',
            field: 'repository',
            path: '/repos/{args.owner}/{args.name}',
            method: 'GET',
            responseSample: process.env.SAMPLE,
            responseTypeName: 'Repository',
          },
        ],
      }),
    },
  ],
})
