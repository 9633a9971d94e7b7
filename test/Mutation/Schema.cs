using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Mutation;

/// <summary>An assembly that contains every mutant of a room.</summary>
internal sealed partial class Schema
{
    private const int MaxCompilations = 15;

    private readonly HashSet<int> _dropped = [];
    private List<Mutant> _mutants = [];

    /// <summary>The mutants that compile.</summary>
    public IEnumerable<Mutant> Mutants => _mutants.Where(mutant => !_dropped.Contains(mutant.Id));

    /// <summary>Mutants that do not compile.</summary>
    public int DroppedCount => _dropped.Count;

    /// <summary>Positions that cannot have a mutant.</summary>
    public int SkippedCount { get; private set; }

    /// <summary>Number of mutants.</summary>
    public int Count => _mutants.Count;

    /// <summary>Compiles the room's project with all of its mutants; those with errors are dropped.</summary>
    /// <param name="call">The compiler call of the project.</param>
    /// <param name="room">The room whose sources are changed.</param>
    /// <param name="root">Folder of the repository.</param>
    /// <param name="folder">Folder for sources and the assembly.</param>
    public static Schema Compile(CompilerCall call, Room room, string root, string folder)
    {
        CSharpCompilation compilation = call.CreateCompilation();
        SyntaxTree[] trees = [.. compilation.SyntaxTrees.Where(tree => room.HasSource(Path.GetRelativePath(root, tree.FilePath)))
            .OrderBy(tree => tree.FilePath, StringComparer.Ordinal)];
        if (trees.Length == 0)
            throw new InvalidOperationException($"no sources of the room '{room.Name}' in {room.Project}");
        Schema schema = new();
        Directory.CreateDirectory(Path.Combine(folder, "sources"));
        for (int i = 0; i < MaxCompilations; i++)
        {
            Dictionary<string, string> replaced = schema.Write(compilation, trees, root, Path.Combine(folder, "sources"));
            List<CompilerError> errors = call.Compile(replaced, Path.Combine(folder, call.AssemblyName + ".dll"));
            if (errors.Count == 0)
                return schema;
            int before = schema._dropped.Count;
            foreach (IGrouping<string, CompilerError> file in errors.GroupBy(error => error.Path))
                schema.Drop(file.Key, file);
            if (schema._dropped.Count == before)
                throw new InvalidOperationException($"the schema does not compile: {errors[0]}");
        }

        throw new InvalidOperationException("the schema does not compile");
    }

    private Dictionary<string, string> Write(CSharpCompilation compilation, SyntaxTree[] trees, string root, string folder)
    {
        Dictionary<string, string> replaced = [];
        List<Mutant> mutants = [];
        SkippedCount = 0;
        foreach (SyntaxTree tree in trees)
        {
            SchemaWriter writer = new(compilation.GetSemanticModel(tree), Path.GetRelativePath(root, tree.FilePath), mutants.Count + 1, _dropped);
            string copy = Path.Combine(folder, $"{replaced.Count}.cs");
            File.WriteAllText(copy, writer.Visit(tree.GetRoot())!.ToFullString());
            replaced[tree.FilePath] = copy;
            mutants.AddRange(writer.Mutants);
            SkippedCount += writer.Skipped;
        }

        string source = Path.Combine(folder, "MutantSwitch.cs");
        File.WriteAllText(source, SwitchSource.Create(mutants.Count));
        replaced["MutantSwitch.cs"] = source;
        _mutants = mutants;
        return replaced;
    }

    private void Drop(string path, IEnumerable<CompilerError> errors)
    {
        SyntaxTree tree = CSharpSyntaxTree.ParseText(File.ReadAllText(path), CSharpParseOptions.Default.WithLanguageVersion(LanguageVersion.Preview));
        SourceText text = tree.GetText();
        foreach (CompilerError error in errors)
        {
            int position = text.Lines[error.Line - 1].Start + error.Column - 1;
            _dropped.UnionWith(FindCulprits(tree.GetRoot().FindToken(position), position, error));
        }
    }

    // Returns the mutants around an error: those of the smallest part that has any.
    private IEnumerable<int> FindCulprits(SyntaxToken token, int position, CompilerError error)
    {
        Match unassigned = Unassigned().Match(error.Text);
        foreach (SyntaxNode node in token.Parent!.AncestorsAndSelf())
        {
            if (unassigned.Success && node is not MemberDeclarationSyntax)
                continue;
            if (node is ConditionalExpressionSyntax choice && IdOf(choice.Condition) is { } id)
                return choice.WhenTrue.Span.Contains(position) ? [id] : Chain(choice);
            if (node is ParenthesizedExpressionSyntax { Expression: ConditionalExpressionSyntax inner } && IdOf(inner.Condition) is not null)
                return Chain(inner);
            if (node is BinaryExpressionSyntax binary && (IdOf(binary.Right) ?? IdOf(binary.Left)) is { } negated)
                return [negated];
            if (node is IfStatementSyntax branch && IdOf(branch.Condition) is { } removed)
                return [removed];
            if (node is not (StatementSyntax or MemberDeclarationSyntax))
                continue;
            int[] all = [.. Ids().Matches(node.ToString()).Select(match => IdOf(match))];
            if (unassigned.Success)
            {
                int[] about = [.. all.Where(one => Regex.IsMatch(_mutants[one - 1].Before, $@"\b{unassigned.Groups[1].Value}\b"))];
                int[] culprits = [.. about.Where(one => _mutants[one - 1].Operator is "removal" or "logic" or "condition" or "pattern" or "coalescing")];
                all = culprits.Any(one => !_dropped.Contains(one)) ? culprits : about.Any(one => !_dropped.Contains(one)) ? about : all;
            }

            if (all.Any(one => !_dropped.Contains(one)))
                return all;
        }

        return [];
    }

    private static IEnumerable<int> Chain(ConditionalExpressionSyntax choice)
    {
        ExpressionSyntax? rest = choice;
        while (rest is not null)
        {
            while (rest is ParenthesizedExpressionSyntax inner)
                rest = inner.Expression;
            if (rest is not ConditionalExpressionSyntax next || IdOf(next.Condition) is not { } id)
                yield break;
            yield return id;
            rest = next.WhenFalse;
        }
    }

    private static int? IdOf(ExpressionSyntax expression)
    {
        Match call = Ids().Match(expression.ToString());
        return call.Success && (call.Length == expression.Span.Length || $"!{call.Value}".Length == expression.Span.Length) ? IdOf(call) : null;
    }

    private static int IdOf(Match call) => int.Parse(call.Groups[1].ValueSpan, System.Globalization.CultureInfo.InvariantCulture);

    [GeneratedRegex(@"global::MutantSwitch\.On\((\d+)\)")]
    private static partial Regex Ids();

    [GeneratedRegex(@"(?:CS0165|CS0170|CS0177|CS0269).*?'(\w+)'")]
    private static partial Regex Unassigned();
}
