namespace DocsSite;

/// <summary>Checks that each link leads to a file of the repository, and to a heading of it where it names one.</summary>
public static class Links
{
    /// <summary>Broken links of all pages, a sentence each.</summary>
    public static IEnumerable<string> FindBroken(Site site) => site.Pages.SelectMany(page => FindBroken(site, page));

    /// <summary>The pages to which the page at a path links.</summary>
    public static Func<string, IEnumerable<string>> TargetsOf(Site site) => path =>
        site.Find(path) is { } page ? page.Links().Select(link => link.Path).Where(target => site.Find(target) is not null) : [];

    private static IEnumerable<string> FindBroken(Site site, Page page)
    {
        foreach ((_, string path, string anchor) in page.Links())
        {
            Page? target = site.Find(path);
            if (target is null && !site.HasFile(path))
                yield return $"{page.Path}: {path} does not exist";
            else if (anchor.Length > 0 && target?.Anchors.Contains(anchor) != true)
                yield return $"{page.Path}: {path} has no heading #{anchor}";
        }
    }
}
