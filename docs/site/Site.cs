using Markdig;
using Markdig.Syntax;
using Markdig.Syntax.Inlines;

namespace DocsSite;

/// <summary>The pages of the repository and of the library's public API, and the static site that they make.</summary>
public sealed class Site
{
    private const string Index = "docs/index.md";
    private const string ApiFolder = "docs/api/";

    private readonly string _root;
    private readonly Dictionary<string, Page> _byPath;

    private Site(string root, IEnumerable<Page> pages)
    {
        _root = root;
        Pages = [.. pages];
        _byPath = Pages.ToDictionary(page => page.Path);
    }

    /// <summary>Every page, in the order of their paths.</summary>
    public IReadOnlyList<Page> Pages { get; }

    /// <summary>Reads the pages of a repository: those of its root, of docs/, and the generated ones of the API.</summary>
    public static Site Load(string root)
    {
        string docs = System.IO.Path.Combine(root, "docs");
        IEnumerable<string> files = Directory.EnumerateFiles(root, "*.md")
            .Concat(Directory.EnumerateFiles(docs, "*.md", SearchOption.AllDirectories));
        return new Site(root, files.Select(file => new Page(System.IO.Path.GetRelativePath(root, file).Replace('\\', '/'), File.ReadAllText(file)))
            .Concat(ApiPages.Create().Select(page => new Page(ApiFolder + page.Name, page.Text)))
            .OrderBy(page => page.Path, StringComparer.Ordinal));
    }

    /// <summary>The page at a path of the repository; null when there is none.</summary>
    public Page? Find(string path) => _byPath.GetValueOrDefault(path);

    internal bool HasFile(string path)
    {
        string full = System.IO.Path.Combine(_root, path);
        return File.Exists(full) || Directory.Exists(full);
    }

    /// <summary>Writes every page as HTML, and the pictures and schemas that they name.</summary>
    public void Write(string output)
    {
        HashSet<string> assets = [];
        foreach (Page page in Pages)
            WriteFile(output, page.OutputPath, Layout.Render(page.Title, Navigation(page), Render(page, assets), RootOf(page)));
        foreach (string asset in assets)
        {
            string target = System.IO.Path.Combine(output, asset);
            Directory.CreateDirectory(System.IO.Path.GetDirectoryName(target)!);
            File.Copy(System.IO.Path.Combine(_root, asset), target, overwrite: true);
        }
    }

    private static void WriteFile(string output, string path, string text)
    {
        string target = System.IO.Path.Combine(output, path);
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(target)!);
        File.WriteAllText(target, text);
    }

    // Links to pages lead to their HTML, those to pictures and schemas to copies; what is only in the repository is named without a link.
    private string Render(Page page, HashSet<string> assets)
    {
        foreach ((LinkInline link, string path, string anchor) in page.Links().ToArray())
        {
            if (Find(path) is { } target)
            {
                link.Url = RootOf(page) + target.OutputPath + (anchor.Length > 0 ? "#" + anchor : "");
            }
            else if (path.EndsWith(".png", StringComparison.Ordinal) || path.EndsWith(".json", StringComparison.Ordinal))
            {
                assets.Add(path);
                link.Url = RootOf(page) + path;
            }
            else
            {
                link.ReplaceBy(new LiteralInline(Page.TextOf(link)), copyChildren: false);
            }
        }

        return page.Document.ToHtml(Page.Pipeline);
    }

    private static string RootOf(Page page) => string.Concat(Enumerable.Repeat("../", page.Path.Count(letter => letter == '/')));

    // The sections of docs/index.md and the pages that each links, then the API.
    private List<(string Section, IReadOnlyList<(string Title, string Url)> Pages)> Navigation(Page from)
    {
        List<(string Section, IReadOnlyList<(string Title, string Url)> Pages)> sections = [];
        string root = RootOf(from);
        Page index = new(Index, File.ReadAllText(System.IO.Path.Combine(_root, Index)));
        ILookup<string, Page> linked = index.Links().Select(link => (Section: SectionOf(index, link.Link), Page: Find(link.Path)))
            .Where(entry => entry.Page is not null).ToLookup(entry => entry.Section, entry => entry.Page!);
        foreach (IGrouping<string, Page> section in linked)
            sections.Add((section.Key, [.. section.Distinct().Select(page => (page.Title, root + page.OutputPath))]));
        sections.Add(("Public API", [.. Pages.Where(page => page.Path.StartsWith(ApiFolder, StringComparison.Ordinal))
            .Select(page => (page.Title, root + page.OutputPath))]));
        return sections;
    }

    private static string SectionOf(Page page, LinkInline link) =>
        page.Document.Descendants<HeadingBlock>().LastOrDefault(heading => heading.Line < LineOf(link)) is { Inline: { } inline } ? Page.TextOf(inline) : "";

    private static int LineOf(LinkInline link)
    {
        ContainerInline top = link;
        while (top.Parent is { } parent)
            top = parent;
        return top.ParentBlock?.Line ?? 0;
    }
}
