//! Answers about skills and versions.

use prowess_registry::protocol::{
    InstallAnswer, InstallResolution, Millis, NATIVE_SOURCE, Owner, PLATFORM_LICENSE, ResolveAnswer,
    SearchAnswer, SearchHit, SkillDetail, SkillList, SkillListItem, SkillMetadata, SkillName, SkillSummary,
    TrendingAnswer, TrendingMetrics, TrendingSkill, VersionAnswer, VersionDetail, VersionFile, VersionList,
    VersionListItem, VersionName, VersionSummary,
};
use prowess_registry::{MAX_BUNDLE_BYTES, MAX_FILE_BYTES};
use prowess_store::registry::{
    FileRecord, ListOrder, ListRequest, SkillRecord, SkillRow, SortBy, UsageCounter, VersionRecord,
};
use serde_json::{Value, json};

use crate::hub::{Hub, Pick, Wanted};
use crate::judgement::{check_fetch, moderation, security};
use crate::refusal::Refusal;
use crate::search::Question;

/// Maximum and default number of entries of a page.
const MAX_PAGE: usize = 200;
const USUAL_PAGE: usize = 25;
/// Entries of the list of trending skills, and how many there are when the client does not say.
const MAX_TRENDING: usize = 100;
const USUAL_TRENDING: usize = 20;
/// The size of a preview.
const PREVIEW_BYTES: u64 = 200 * 1024;

/// A zip with its name.
pub(crate) struct Archive {
    pub(crate) name: String,
    pub(crate) sha256: String,
    pub(crate) bytes: Vec<u8>,
}

/// The requested page of skills.
#[derive(Debug, Default)]
pub(crate) struct ListQuestion {
    pub(crate) limit: Option<usize>,
    pub(crate) cursor: Option<String>,
    pub(crate) sort: Option<String>,
    pub(crate) prefix: Option<String>,
    pub(crate) only_clean: bool,
}

/// Returns the number of entries of a page.
pub(crate) fn page_size(limit: Option<usize>) -> usize {
    limit.unwrap_or(USUAL_PAGE).clamp(1, MAX_PAGE)
}

fn order_of(sort: Option<&str>) -> Result<(SortBy, ListOrder), Refusal> {
    let by = match sort.unwrap_or("updated") {
        "updated" => SortBy::Updated,
        "createdAt" | "newest" => SortBy::Created,
        "downloads" | "trending" => SortBy::Downloads,
        "installs" | "installsCurrent" | "installsAllTime" => SortBy::Installs,
        "stars" | "rating" | "recommended" => SortBy::Stars,
        "name" => return Ok((SortBy::Slug, ListOrder::Ascending)),
        other => {
            let other = prowess_text::printable(other);
            return Err(Refusal::bad(format!(
                "invalid sort order `{other}` (expected updated, newest, downloads, installs, stars, name or trending)"
            )));
        }
    };
    Ok((by, ListOrder::Descending))
}

impl Hub {
    pub(crate) fn search_skills(&self, question: &Question) -> Result<SearchAnswer, Refusal> {
        let found = self.search.find(question, &*self.store)?;
        let hit = |(row, score): (SkillRow, f64)| {
            let SkillRow { skill, version } = row;
            SearchHit {
                score,
                slug: Some(skill.slug),
                display_name: Some(skill.display_name),
                summary: Some(skill.summary),
                version: Some(version.number),
                #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
                downloads: Some(skill.downloads as f64),
                updated_at: Some(Millis(skill.updated_at)),
                owner_handle: Some(skill.owner.clone()),
                owner: Some(owner(&skill.owner)),
                source: Some(NATIVE_SOURCE.to_owned()),
            }
        };
        Ok(SearchAnswer { results: found.into_iter().map(hit).collect() })
    }

    /// The most downloaded skills, of equal ones the newest first. OpenClaw asks for it instead of a search without
    /// words.
    pub(crate) fn trending(
        &self,
        kind: Option<&str>,
        limit: Option<usize>,
    ) -> Result<TrendingAnswer, Refusal> {
        if let Some(kind) = kind.filter(|kind| *kind != "skills") {
            return Err(Refusal::bad(format!(
                "unknown kind `{}`: only skills are here",
                prowess_text::printable(kind)
            )));
        }
        let page = self.store.list(&ListRequest {
            sort: SortBy::Downloads,
            order: ListOrder::Descending,
            limit: limit.unwrap_or(USUAL_TRENDING).clamp(1, MAX_TRENDING),
            ..ListRequest::default()
        })?;
        let item = |SkillRow { skill, .. }: SkillRow| TrendingSkill {
            publisher: owner(&skill.owner),
            metrics: TrendingMetrics {
                updated_at: Millis(skill.updated_at),
                downloads: skill.downloads,
                stars: skill.stars,
            },
            slug: skill.slug,
            display_name: skill.display_name,
            summary: Some(skill.summary).filter(|summary| !summary.is_empty()),
            source: NATIVE_SOURCE.to_owned(),
        };
        Ok(TrendingAnswer { items: page.rows.into_iter().map(item).collect() })
    }

    pub(crate) fn list(&self, question: ListQuestion) -> Result<SkillList, Refusal> {
        let (sort, order) = match &question.prefix {
            Some(_) => (SortBy::Slug, ListOrder::Ascending),
            None => order_of(question.sort.as_deref())?,
        };
        let page = self.store.list(&ListRequest {
            sort,
            order,
            prefix: question.prefix.map(|prefix| prefix.trim().to_lowercase()),
            owner: None,
            only_clean: question.only_clean,
            cursor: question.cursor,
            limit: page_size(question.limit),
        })?;
        let item = |row: SkillRow| SkillListItem {
            topics: Some(row.skill.topics.clone()).filter(|topics| !topics.is_empty()),
            latest_version: Some(summary_of(&row.version)),
            metadata: metadata(&row.version),
            skill: skill_summary(row.skill),
        };
        Ok(SkillList { items: page.rows.into_iter().map(item).collect(), next_cursor: page.next })
    }

    pub(crate) fn detail(&self, wanted: &Wanted, base: &str) -> Result<SkillDetail, Refusal> {
        let skill = self.find(wanted, base)?;
        let version = self.pick(&skill, &Pick::Latest)?;
        Ok(SkillDetail {
            latest_version: Some(summary_of(&version)),
            metadata: metadata(&version),
            owner: Some(owner(&skill.owner)),
            moderation: Some(moderation(&version)),
            skill: Some(skill_summary(skill)),
        })
    }

    pub(crate) fn versions(
        &self,
        wanted: &Wanted,
        cursor: Option<&str>,
        limit: Option<usize>,
        base: &str,
    ) -> Result<VersionList, Refusal> {
        let skill = self.find(wanted, base)?;
        let page = self.store.versions(&skill.id, cursor, page_size(limit))?;
        let item = |version: VersionRecord| VersionListItem {
            version: version.number,
            created_at: Millis(version.created_at),
            changelog: version.changelog,
            changelog_source: Some("user".to_owned()),
        };
        Ok(VersionList { items: page.versions.into_iter().map(item).collect(), next_cursor: page.next })
    }

    pub(crate) fn version_detail(
        &self,
        wanted: &Wanted,
        number: &str,
        base: &str,
    ) -> Result<VersionAnswer, Refusal> {
        let skill = self.find(wanted, base)?;
        let version = self.pick_there(&skill, &Pick::Number(number.to_owned()))?;
        let files = self.store.files(&version.id)?;
        Ok(VersionAnswer {
            version: Some(VersionDetail {
                summary: summary_of(&version),
                files: Some(files.into_iter().map(version_file).collect()),
                security: Some(security(&version)),
            }),
            skill: Some(SkillName { slug: skill.slug, display_name: skill.display_name }),
        })
    }

    /// One file of a version. A preview is a small text or nothing.
    pub(crate) fn file(
        &self,
        wanted: &Wanted,
        pick: &Pick,
        path: &str,
        is_preview: bool,
        base: &str,
    ) -> Result<Vec<u8>, Refusal> {
        let skill = self.find(wanted, base)?;
        let version = self.pick_there(&skill, pick)?;
        check_fetch(&version)?;
        let missing = || Refusal::not_found("File not found");
        let file = self.store.files(&version.id)?.into_iter().find(|file| file.path == path);
        let file = file.ok_or_else(missing)?;
        if is_preview && file.size > PREVIEW_BYTES {
            return Err(Refusal::too_large("The file is too large for a preview"));
        }
        let bytes = self.blobs.get(&file.sha256, MAX_FILE_BYTES)?;
        if is_preview && std::str::from_utf8(&bytes).is_err() {
            let status = axum::http::StatusCode::UNSUPPORTED_MEDIA_TYPE;
            return Err(Refusal::new(status, "The file is not text"));
        }
        Ok(bytes)
    }

    pub(crate) fn resolve(&self, wanted: &Wanted, hash: &str, base: &str) -> Result<ResolveAnswer, Refusal> {
        let hash = hash.trim().to_ascii_lowercase();
        if hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Refusal::bad("`hash` is not a SHA-256 in hexadecimal"));
        }
        let skill = self.find(wanted, base)?;
        let matching = self.store.version_by_fingerprint(&skill.id, &hash)?;
        Ok(ResolveAnswer {
            matching: matching.map(|version| VersionName { version: version.number }),
            latest_version: skill.latest().map(|number| VersionName { version: number.to_owned() }),
        })
    }

    /// The archive of a version. What is deleted is gone, what is malicious is forbidden.
    pub(crate) fn download(&self, wanted: &Wanted, pick: &Pick, base: &str) -> Result<Archive, Refusal> {
        let skill = self.find_any(wanted, base)?.ok_or_else(Refusal::no_skill)?;
        if skill.deleted_at.is_some() {
            return Err(Refusal::gone("This skill was deleted by its publisher"));
        }
        let version = self.pick(&skill, pick)?;
        check_fetch(&version)?;
        // An archive is smaller than its files, or only a little larger.
        let bytes = self.blobs.get(&version.archive, 2 * MAX_BUNDLE_BYTES)?;
        self.store.count_usage(&skill.id, UsageCounter::Download)?;
        let name = format!("{}-{}.zip", skill.slug, version.number);
        Ok(Archive { name, sha256: version.archive, bytes })
    }

    /// The source of a skill's files.
    pub(crate) fn install(&self, wanted: &Wanted, base: &str) -> Result<InstallAnswer, Refusal> {
        let skill = self.find(wanted, base)?;
        let version = self.pick(&skill, &Pick::Latest)?;
        let plan = match check_fetch(&version) {
            Ok(()) => InstallResolution::Archive {
                download_url: archive_address(&skill, &version, base),
                version: version.number,
            },
            Err(Refusal::Plain(status, message)) => InstallResolution::Refused {
                reason: "archive_version_missing".to_owned(),
                message,
                status: status.as_u16(),
            },
            Err(other) => return Err(other),
        };
        Ok(InstallAnswer { slug: skill.slug, plan })
    }
}

/// Returns the address of the archive of exactly this version.
pub(crate) fn archive_address(skill: &SkillRecord, version: &VersionRecord, base: &str) -> String {
    let number = version.number.replace('+', "%2B");
    format!("{base}/api/v1/agent-skills/{}/{}/archive?version={number}", skill.owner, skill.slug)
}

fn owner(handle: &str) -> Owner {
    Owner { handle: Some(handle.to_owned()), ..Owner::default() }
}

fn skill_summary(skill: SkillRecord) -> SkillSummary {
    SkillSummary {
        tags: json!(skill.tags),
        stats: json!({
            "downloads": skill.downloads,
            "installs": skill.installs,
            "installsCurrent": skill.installs,
            "installsAllTime": skill.installs,
            "stars": skill.stars,
        }),
        slug: skill.slug,
        display_name: skill.display_name,
        summary: Some(skill.summary).filter(|summary| !summary.is_empty()),
        created_at: Millis(skill.created_at),
        updated_at: Millis(skill.updated_at),
    }
}

fn summary_of(version: &VersionRecord) -> VersionSummary {
    let declared = version.facts.get("license").and_then(Value::as_str);
    VersionSummary {
        version: version.number.clone(),
        created_at: Millis(version.created_at),
        changelog: version.changelog.clone(),
        license: declared.filter(|license| *license == PLATFORM_LICENSE).map(str::to_owned),
        declared_license: declared.map(str::to_owned),
    }
}

fn metadata(version: &VersionRecord) -> Option<SkillMetadata> {
    serde_json::from_value(version.facts.get("metadata")?.clone()).ok()
}

fn version_file(file: FileRecord) -> VersionFile {
    VersionFile { path: file.path, size: file.size, sha256: file.sha256, content_type: file.content_type }
}
