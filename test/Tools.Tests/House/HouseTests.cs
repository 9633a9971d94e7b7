using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Json.Serialization;
using Xunit;

namespace Tools.Tests.House;

/// <summary>The shape of the whole house by rule: every type, method, folder and file of src and tools.</summary>
/// <remarks>
/// arrows.txt has the dependencies, exceptions.txt the violations of a rule and their reasons; both are compared in both directions.
/// </remarks>
public class HouseTests
{
    private const int MaxFields = 20;
    private const int MaxParts = 4;
    private const int MaxLines = 40;

    // It is lowered when a line is removed.
    private const int MaxExceptions = 31;

    internal static readonly string[] Assemblies = ["PerfCommon", "PerfHub", "PerfTools.Hosting", "PerfTools.Results", "perftools", "ConsPerf", "HubPerf",
        "LatencyPerf", "NIProvPerf", "ProvPerf", "TransportPerf", "UsersPerf"];

    [Fact]
    public void Fields_OfEveryType_AreTwentyAtMost() => Assert.Empty(HouseExceptions.Compare("fields",
        Assemblies.SelectMany(name => Assembly.Load(name).GetTypes()).Where(type => CountFields(type) > MaxFields)
            .Select(type => (type.FullName!, CountFields(type)))));

    [Fact]
    public void Parts_OfEveryType_AreFourAtMost() => Assert.Empty(HouseExceptions.Compare("parts", SourceTree.Whole.FindParts(MaxParts)));

    [Fact]
    public void Methods_AllOfThem_HaveFortyLinesAtMost() =>
        Assert.Empty(HouseExceptions.Compare("lines", SourceTree.Whole.FindLongMethods(MaxLines)));

    [Fact]
    public void Files_AllOfThem_AreReachedByAProgramOrAPublicType() =>
        Assert.Empty(HouseExceptions.Compare("unreached", SourceTree.Whole.FindUnreached().Select(path => (path, 1))));

    [Fact]
    public void Arrows_BetweenAllFolders_AreThoseOfTheTable()
    {
        string[] found = [.. SourceTree.Whole.Arrows().OrderBy(room => room.Key, StringComparer.Ordinal).SelectMany(room =>
            room.Value.Select(known => $"{room.Key} -> {known}"))];
        string[] allowed = [.. ReadArrows()];
        Assert.Empty(found.Except(allowed).Select(arrow => $"not in arrows.txt: {arrow}")
            .Concat(allowed.Except(found).Select(arrow => $"in arrows.txt, and nobody needs it: {arrow}")));
    }

    [Fact]
    public void Circles_BetweenFolders_AreThoseListed() => Assert.Empty(HouseExceptions.Compare("circle",
        SourceTree.FindCircles(SourceTree.Whole.Arrows())));

    [Fact]
    public void Exceptions_HaveAReason_AndOnlyShrink()
    {
        Assert.All(HouseExceptions.All, one => Assert.InRange(one.Reason.Length, 10, 200));
        Assert.InRange(HouseExceptions.All.Count, 0, MaxExceptions);
    }

    [Fact]
    public void Rules_OnSourcesThatBreakThem_NameThem()
    {
        string body = string.Concat(Enumerable.Repeat("\n        A();", MaxLines));
        SourceTree tree = new(
        [
            new("ConsPerf/Program.cs", "using ConsPerf.Rooms;\nnamespace ConsPerf;\nclass Program { Known k; }"),
            new("ConsPerf/Rooms/Known.cs",
                $"using ConsPerf.Others;\nnamespace ConsPerf.Rooms;\nclass Known\n{{\n    void A()\n    {{{body}\n    }}\n\n    Other o;\n}}"),
            .. Enumerable.Range(0, MaxParts + 1).Select(part =>
                new SourceFile($"ConsPerf/Others/Other.{part}.cs",
                    "using ConsPerf.Rooms;\nnamespace ConsPerf.Others;\npartial class Other { void B() => 1.C(); }")),
            new("ConsPerf/Rooms/Extensions.cs", "namespace ConsPerf.Rooms;\nstatic class Extensions { public static void C(this int number) { } }"),
            new("ConsPerf/Rooms/Alone.cs", "namespace ConsPerf.Rooms;\nclass Alone;"),
        ]);
        Assert.Equal([("Known.A", MaxLines + 3)], tree.FindLongMethods(MaxLines));
        Assert.Equal([("ConsPerf.Others.Other", MaxParts + 1)], tree.FindParts(MaxParts));
        Assert.Equal(["ConsPerf/Rooms/Alone.cs"], tree.FindUnreached());
        Assert.Equal(["ConsPerf/Others"], tree.Arrows()["ConsPerf/Rooms"]);
        Assert.Equal([("ConsPerf/Others", 2)], SourceTree.FindCircles(tree.Arrows()));
        Assert.Equal(MaxFields + 1, CountFields(typeof(TwentyOne)));
    }

    // A line of the table: a room, and all that it knows.
    private static IEnumerable<string> ReadArrows() =>
        from line in File.ReadLines(Path.Combine(RepositoryRoot.FullPath, "test", "Tools.Tests", "House", "arrows.txt"))
        where line.Length > 0 && !line.StartsWith('#')
        let room = line.Split(" -> ")
        from known in room[1].Split(' ')
        select $"{room[0]} -> {known}";

    // Layouts of the wire and what the build generates are no types of ours.
    private static int CountFields(Type type) =>
        type.IsEnum || type.IsDefined(typeof(CompilerGeneratedAttribute)) || type.FullName!.Contains('<', StringComparison.Ordinal)
        || type.Namespace == "PerfCommon.Codec" || type.IsSubclassOf(typeof(JsonSerializerContext)) ? 0
        : type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly).Length;

    private sealed record TwentyOne(int A, int B, int C, int D, int E, int F, int G, int H, int I, int J, int K, int L, int M, int N, int O, int P,
        int Q, int R, int S, int T, int U);
}
