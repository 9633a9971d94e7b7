using Markdig;
using Markdig.Extensions.AutoIdentifiers;
using Markdig.Renderers.Html;
using Markdig.Syntax;
using Markdig.Syntax.Inlines;

namespace DocsSite;

/// <summary>One page of the repository, parsed.</summary>
/// <param name="path">Its path in the repository, with slashes.</param>
/// <param name="markdown">Its text.</param>
public sealed class Page(string path, string markdown)
{
    private const string Extension = ".md";

    internal static readonly MarkdownPipeline Pipeline = new MarkdownPipelineBuilder()
        .UseAutoIdentifiers(AutoIdentifierOptions.GitHub).UsePipeTables().Build();

    /// <summary>Its path in the repository, with slashes.</summary>
    public string Path { get; } = path;

    internal MarkdownDocument Document { get; } = Markdown.Parse(markdown, Pipeline);

    /// <summary>The folder in which its relative links start; empty for the root.</summary>
    public string Folder => Path.Contains('/', StringComparison.Ordinal) ? Path[..Path.LastIndexOf('/')] : "";

    /// <summary>The first heading.</summary>
    public string Title => Document.Descendants<HeadingBlock>().FirstOrDefault() is { Inline: { } inline } ? TextOf(inline) : Path;

    /// <summary>The anchors that a link may name.</summary>
    public IEnumerable<string> Anchors =>
        Document.Descendants<HeadingBlock>().Select(heading => heading.GetAttributes().Id).OfType<string>();

    /// <summary>Path of the page's file in the site: README is the index of its folder.</summary>
    public string OutputPath => System.IO.Path.GetFileName(Path) == "README.md"
        ? Path[..^"README.md".Length] + "index.html" : Path[..^Extension.Length] + ".html";

    /// <summary>Links to places in the repository, with the path that each names and its anchor; not those to other sites.</summary>
    internal IEnumerable<(LinkInline Link, string Path, string Anchor)> Links() =>
        Document.Descendants<LinkInline>().Where(link => link.Url is { Length: > 0 } url && !url.Contains(':', StringComparison.Ordinal))
            .Select(link => (link, Resolve(link.Url!.Split('#')[0]), link.Url!.Contains('#', StringComparison.Ordinal) ? link.Url!.Split('#')[1] : ""));

    internal static bool IsPage(string path) => path.EndsWith(Extension, StringComparison.Ordinal);

    internal static string TextOf(ContainerInline inline) => string.Concat(inline.Descendants().Select(part => part switch
    {
        LiteralInline literal => literal.Content.ToString(),
        CodeInline code => code.Content,
        _ => "",
    }));

    private string Resolve(string url)
    {
        if (url.Length == 0)
            return Path;
        List<string> parts = [.. Folder.Split('/', StringSplitOptions.RemoveEmptyEntries)];
        foreach (string part in url.TrimEnd('/').Split('/'))
        {
            if (part != "..")
                parts.Add(part);
            else if (parts.Count > 0)
                parts.RemoveAt(parts.Count - 1);
            else
                return "../" + url; // outside of the repository: there is no such file
        }

        return string.Join('/', parts.Where(part => part != "."));
    }
}
