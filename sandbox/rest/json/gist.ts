import type { Gist } from '../../store/gists.ts'
import { accountJson } from './account.ts'

const PAGES = 'https://gist.github.com'
const RAW = 'https://gist.githubusercontent.com'

/** A gist in a list: its files come without content. */
export function gistJson(gist: Gist, origin: string) {
  return { ...describe(gist, origin), files: filesJson(gist, () => ({})) }
}

export function fullGistJson(gist: Gist, origin: string) {
  const content = (text: string) => ({ truncated: false, content: text, encoding: 'utf-8' })
  return {
    ...describe(gist, origin),
    files: filesJson(gist, content),
    forks: [],
    history: [],
    ...(gist.forkOf && { fork_of: gistJson(gist.forkOf, origin) }),
  }
}

function describe(gist: Gist, origin: string) {
  const { name, nodeId, owner, description, isPublic, createdAt, updatedAt } = gist
  const url = `${origin}/gists/${name}`
  return {
    url,
    forks_url: `${url}/forks`,
    commits_url: `${url}/commits`,
    id: name,
    node_id: nodeId,
    git_pull_url: `${PAGES}/${name}.git`,
    git_push_url: `${PAGES}/${name}.git`,
    html_url: `${PAGES}/${owner.login}/${name}`,
    public: isPublic,
    created_at: createdAt,
    updated_at: updatedAt,
    description,
    comments: gist.commentCount,
    comments_enabled: true,
    user: null,
    comments_url: `${url}/comments`,
    owner: accountJson(owner, origin),
    truncated: false,
  }
}

function filesJson({ name, owner, files }: Gist, more: (text: string) => object) {
  return Object.fromEntries(
    [...files].map(([filename, text]) => [
      filename,
      {
        filename,
        type: 'text/plain',
        language: filename.endsWith('.md') ? 'Markdown' : 'Text',
        raw_url: `${RAW}/${owner.login}/${name}/raw/${encodeURIComponent(filename)}`,
        size: Buffer.byteLength(text),
        ...more(text),
      },
    ]),
  )
}
