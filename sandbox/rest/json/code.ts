import { fullName } from '../../store/repositories.ts'
import type { CodeFile } from '../../store/search/code.ts'
import type { Principal } from '../../store/tokens.ts'
import { pageUrl } from '../../urls.ts'
import { repositoryJson } from './repository.ts'
import { repositoryUrl } from './repository-url.ts'

/** A file in search results. */
export function codeJson(file: CodeFile, origin: string, viewer: Principal) {
  const { repository, commit, name, sha } = file
  const url = repositoryUrl(repository, origin)
  const path = file.path.split('/').map(encodeURIComponent).join('/')
  return {
    name,
    path: file.path,
    sha,
    url: `${url}/contents/${path}?ref=${commit}`,
    git_url: `${url}/git/blobs/${sha}`,
    html_url: pageUrl(`/${fullName(repository)}/blob/${commit}/${path}`),
    repository: repositoryJson(repository, origin, viewer),
  }
}
