using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tools.Tests.House;

/// <summary>A file of src or tools, as the compiler's parser reads it.</summary>
internal sealed class SourceFile
{
    private static readonly string[] WithRooms = ["PerfCommon/Transport/", "PerfCommon/Sessions/"];
    private readonly CompilationUnitSyntax _root;

    /// <summary>Parses a file.</summary>
    /// <param name="path">From src or tools, with slashes.</param>
    /// <param name="text">Its text.</param>
    public SourceFile(string path, string text)
    {
        Path = path;
        _root = CSharpSyntaxTree.ParseText(text, new(LanguageVersion.Preview)).GetCompilationUnitRoot();
        Namespace = _root.Members.OfType<BaseNamespaceDeclarationSyntax>().FirstOrDefault()?.Name.ToString() ?? "";
        string[] imported = [.. _root.Usings.Select(line => line.NamespaceOrType.ToString())];
        Visible = [.. imported, .. Enumerable.Range(1, Namespace.Split('.').Length)
            .Select(length => string.Join('.', Namespace.Split('.').Take(length)))];
        Named = [.. _root.DescendantNodes().OfType<SimpleNameSyntax>().Where(IsOfAType).Select(name => name.Identifier.Text)];
        Called = [.. _root.DescendantNodes().OfType<MemberAccessExpressionSyntax>().Select(access => access.Name.Identifier.Text)];
    }

    public string Path { get; }

    public string Namespace { get; }

    /// <summary>Namespaces whose types it may name without more words.</summary>
    public HashSet<string> Visible { get; }

    /// <summary>Names that may be those of types.</summary>
    public HashSet<string> Named { get; }

    /// <summary>Names after a dot, which may be those of extension methods.</summary>
    public HashSet<string> Called { get; }

    /// <summary>Its folder below the project; in Transport and Sessions, which have rooms inside, one folder more.</summary>
    public string Room
    {
        get
        {
            string[] steps = Path.Split('/')[..^1];
            return string.Join('/', steps.Take(Array.Exists(WithRooms, folder => Path.StartsWith(folder, StringComparison.Ordinal)) ? 3 : 2));
        }
    }

    /// <summary>Its outer types; a part of one counts as it.</summary>
    public IEnumerable<MemberDeclarationSyntax> Types => _root.DescendantNodes(node => node is not BaseTypeDeclarationSyntax)
        .OfType<MemberDeclarationSyntax>().Where(node => node is BaseTypeDeclarationSyntax or DelegateDeclarationSyntax);

    /// <summary>The names of its extension methods.</summary>
    public IEnumerable<string> Extensions => _root.DescendantNodes().OfType<MethodDeclarationSyntax>()
        .Where(method => method.ParameterList.Parameters is [var first, ..] && first.Modifiers.Any(SyntaxKind.ThisKeyword))
        .Select(method => method.Identifier.Text);

    /// <summary>True where a project that references the assembly sees one of its types.</summary>
    public bool IsPublic => Types.Any(type => type.Modifiers.Any(SyntaxKind.PublicKeyword));

    /// <summary>Every method, constructor, operator, local function and property with a body, and its lines.</summary>
    public IEnumerable<(string Name, int Lines)> Methods => _root.DescendantNodes()
        .Where(node => node is BaseMethodDeclarationSyntax or LocalFunctionStatementSyntax or BasePropertyDeclarationSyntax)
        .Select(node => ($"{HolderOf(node)}.{NameOf(node)}", CountLines(node)));

    public static string NameOf(SyntaxNode node) => node switch
    {
        BaseTypeDeclarationSyntax type => type.Identifier.Text,
        DelegateDeclarationSyntax type => type.Identifier.Text,
        MethodDeclarationSyntax method => method.Identifier.Text,
        LocalFunctionStatementSyntax function => function.Identifier.Text,
        PropertyDeclarationSyntax property => property.Identifier.Text,
        _ => node.Kind().ToString(),
    };

    private static string HolderOf(SyntaxNode node) =>
        node.Ancestors().OfType<BaseTypeDeclarationSyntax>().FirstOrDefault()?.Identifier.Text ?? "";

    private static int CountLines(SyntaxNode node)
    {
        FileLinePositionSpan span = node.GetLocation().GetLineSpan();
        return span.EndLinePosition.Line - span.StartLinePosition.Line + 1;
    }

    // A name after a dot is that of a member, unless a namespace precedes it.
    private static bool IsOfAType(SimpleNameSyntax name) => name.Parent switch
    {
        MemberAccessExpressionSyntax access => access.Expression == name,
        NameColonSyntax or NameEqualsSyntax { Parent: AttributeArgumentSyntax } => false,
        AssignmentExpressionSyntax { Parent: InitializerExpressionSyntax } assigned => assigned.Left != name,
        _ => true,
    };
}
