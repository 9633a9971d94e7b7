using System.Globalization;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Mutation;

/// <summary>Writes every mutant of a source into it, each selected by a switch.</summary>
/// <param name="model">Semantic model of the source.</param>
/// <param name="path">Path of the source, within the repository.</param>
/// <param name="firstId">Number of its first mutant.</param>
/// <param name="dropped">Mutants that do not compile.</param>
internal sealed partial class SchemaWriter(SemanticModel model, string path, int firstId, IReadOnlySet<int> dropped) : CSharpSyntaxRewriter
{
    private readonly Variants _variants = new(model);

    /// <summary>All mutants, including those that do not compile.</summary>
    public List<Mutant> Mutants { get; } = [];

    /// <summary>Positions where the language requires a constant, or where a second text would declare a variable again.</summary>
    public int Skipped { get; private set; }

    public override SyntaxNode? Visit(SyntaxNode? node)
    {
        if (node is null)
            return null;
        if (WantsConstants(node))
        {
            Skipped += node.DescendantNodesAndSelf().Count(inner => inner is LiteralExpressionSyntax or BinaryExpressionSyntax);
            return node;
        }

        return node switch
        {
            ExpressionStatementSyntax statement => WriteStatement(statement),
            BreakStatementSyntax or ContinueStatementSyntax => WriteJump((StatementSyntax)node),
            ExpressionSyntax expression => WriteExpression(expression),
            MethodDeclarationSyntax { ExpressionBody: { } body } method when IsCall(body, method.ReturnType) =>
                method.WithExpressionBody(null).WithSemicolonToken(default).WithBody(WriteBody(body)),
            LocalFunctionStatementSyntax { ExpressionBody: { } body } function when IsCall(body, function.ReturnType) =>
                function.WithExpressionBody(null).WithSemicolonToken(default).WithBody(WriteBody(body)),
            _ => base.Visit(node),
        };
    }

    private static bool IsCall(ArrowExpressionClauseSyntax body, TypeSyntax result) =>
        result is PredefinedTypeSyntax { Keyword.RawKind: (int)SyntaxKind.VoidKeyword } && body.Expression is not ThrowExpressionSyntax;

    private bool WantsConstants(SyntaxNode node) => node switch
    {
        AttributeListSyntax or EnumMemberDeclarationSyntax or PatternSyntax or SwitchLabelSyntax or InterpolationAlignmentClauseSyntax
            or GotoStatementSyntax => true,
        ThrowStatementSyntax or ThrowExpressionSyntax => true, // the text of a defect is no rule
        FieldDeclarationSyntax field => field.Modifiers.Any(SyntaxKind.ConstKeyword),
        LocalDeclarationStatementSyntax local => local.IsConst,
        EqualsValueClauseSyntax => node.Parent is ParameterSyntax,
        ArgumentListSyntax => node.Parent is InvocationExpressionSyntax // without a context to return to either truth is the same
        {
            Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "ConfigureAwait" }
        },
        TypeSyntax => node is not NameSyntax,
        InvocationExpressionSyntax call => call.Expression is IdentifierNameSyntax { Identifier.ValueText: "nameof" } || IsConditional(call),
        _ => false,
    };

    private bool IsConditional(InvocationExpressionSyntax call) => model.GetSymbolInfo(call).Symbol is { } method &&
        method.GetAttributes().Any(attribute => attribute.AttributeClass?.Name == "ConditionalAttribute");

    private ExpressionSyntax WriteExpression(ExpressionSyntax expression)
    {
        Variant[] variants = [.. _variants.Of(expression)];
        if (variants.Length == 0)
            return (ExpressionSyntax)base.Visit(expression)!;
        if (Array.Exists(variants, variant => variant.Form == Form.Replaced) && Variants.Declares(expression))
        {
            Skipped += variants.Count(variant => variant.Form == Form.Replaced);
            variants = [.. variants.Where(variant => variant.Form != Form.Replaced)];
        }

        int[] ids = [.. variants.Select(variant => Add(expression, variant.Operator, variant.Text))];
        string text = base.Visit(expression)!.WithoutTrivia().ToFullString();
        bool changed = false;
        for (int i = variants.Length - 1; i >= 0; i--)
        {
            if (dropped.Contains(ids[i]))
                continue;
            changed = true;
            string call = $"{SwitchSource.Call}({ids[i]})";
            text = variants[i].Form switch
            {
                Form.Replaced => $"({call} ? ({variants[i].Text}) : {text})",
                Form.Negated => $"(({text}) ^ {call})",
                _ => $"(!{call} && ({text}))",
            };
        }

        if (changed && _variants.ConstantType(expression) is { } type)
            text = $"(({type})({text}))";
        if (changed && expression.Parent is ForStatementSyntax loop && loop.Incrementors.Contains(expression))
            text = "_ = " + text;
        return Parse(text).WithTriviaFrom(expression);
    }

    private StatementSyntax WriteStatement(ExpressionStatementSyntax statement)
    {
        ExpressionSyntax expression = statement.Expression;
        if (expression is InvocationExpressionSyntax call && WantsConstants(call))
            return statement;
        if (Variants.Declares(expression))
        {
            Skipped++;
            return statement.WithExpression((ExpressionSyntax)base.Visit(expression)!);
        }

        string text = WriteCall(expression);
        return text.StartsWith('{')
            ? SyntaxFactory.ParseStatement(text, options: (CSharpParseOptions)statement.SyntaxTree.Options).WithTriviaFrom(statement)
            : statement.WithExpression(Parse(text).WithTriviaFrom(expression));
    }

    private BlockSyntax WriteBody(ArrowExpressionClauseSyntax body)
    {
        string text = Variants.Declares(body) ? base.Visit(body.Expression)!.ToFullString() : WriteCall(body.Expression);
        return (BlockSyntax)SyntaxFactory.ParseStatement(text.StartsWith('{') ? text : $"{{ {text}; }}", options: (CSharpParseOptions)body.SyntaxTree.Options)
            .WithTrailingTrivia(SyntaxFactory.ElasticLineFeed);
    }

    // A call or an assignment: omitted, or with another operator.
    private string WriteCall(ExpressionSyntax expression)
    {
        List<(int Id, string Text)> ways = [(Add(expression, "removal", ""), "")];
        if (expression is AssignmentExpressionSyntax assignment && _variants.OtherAssignment(assignment) is { } other)
            ways.Add((Add(expression, "arithmetic", other), other + ";"));
        if (Variants.OtherStep(expression) is { } step)
            ways.Add((Add(expression, "step", step), step + ";"));
        string text = base.Visit(expression)!.WithoutTrivia().ToFullString();
        ways.RemoveAll(way => dropped.Contains(way.Id));
        return ways.Count == 0 ? text
            : "{ " + string.Concat(ways.Select(way => $"if ({SwitchSource.Call}({way.Id})) {{ {way.Text} }} else ")) + $"{{ {text}; }} }}";
    }

    private StatementSyntax WriteJump(StatementSyntax jump)
    {
        SyntaxNode? left = jump.Ancestors().FirstOrDefault(node => node is SwitchStatementSyntax or ForStatementSyntax or CommonForEachStatementSyntax
            or WhileStatementSyntax or DoStatementSyntax);
        if (left is SwitchStatementSyntax or null)
            return jump;
        string other = jump is BreakStatementSyntax ? "continue;" : "break;";
        int id = Add(jump, "jump", other);
        return dropped.Contains(id) ? jump
            : SyntaxFactory.ParseStatement($"{{ if ({SwitchSource.Call}({id})) {other} {jump.WithoutTrivia()} }}").WithTriviaFrom(jump);
    }

    private ExpressionSyntax Parse(string text) => SyntaxFactory.ParseExpression(text, options: (CSharpParseOptions)model.SyntaxTree.Options);

    private int Add(SyntaxNode node, string kind, string after)
    {
        int id = firstId + Mutants.Count;
        int line = node.GetLocation().GetLineSpan().StartLinePosition.Line + 1;
        string source = node.SyntaxTree.GetText().Lines[line - 1].ToString().Trim();
        Mutants.Add(new Mutant(id, path, line, kind, OneLine(node.ToString()), OneLine(after), source));
        return id;
    }

    private static string OneLine(string text)
    {
        string line = Space().Replace(text, " ").Trim();
        return line.Length <= 160 ? line : string.Create(CultureInfo.InvariantCulture, $"{line.AsSpan(0, 157)}...");
    }

    [GeneratedRegex(@"\s+")]
    private static partial Regex Space();
}
