import { fullName } from '../../store/repositories.ts'
import type { CodeFile } from '../../store/search/code.ts'
import type { Principal } from '../../store/tokens.ts'
import { pageUrl } from '../../urls.ts'
import { repositoryUrl } from './api-urls.ts'
import { encodePath } from './commit.ts'
import { repositoryJson } from './repository.ts'

/** A file in search results. */
export function codeJson(file: CodeFile, origin: string, viewer: Principal) {
  const { repository, commit, name, sha } = file
  const url = repositoryUrl(repository, origin)
  const path = encodePath(file.path)
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
