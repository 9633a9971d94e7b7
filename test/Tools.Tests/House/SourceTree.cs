namespace Tools.Tests.House;

/// <summary>All files of src and tools, and the dependencies between them.</summary>
/// <remarks>Dependencies are found by the names of types and extension methods among the namespaces that a file sees.</remarks>
internal sealed class SourceTree
{
    private readonly ILookup<string, SourceFile> _byType;
    private readonly ILookup<string, SourceFile> _byExtension;

    public SourceTree(IReadOnlyList<SourceFile> files)
    {
        Files = files;
        _byType = files.SelectMany(file => file.Types.Select(type => (Name: SourceFile.NameOf(type), file)))
            .ToLookup(pair => pair.Name, pair => pair.file);
        _byExtension = files.SelectMany(file => file.Extensions.Select(name => (Name: name, file)))
            .ToLookup(pair => pair.Name, pair => pair.file);
    }

    /// <summary>The repository's.</summary>
    public static SourceTree Whole { get; } = Read();

    public IReadOnlyList<SourceFile> Files { get; }

    /// <summary>The files of all that a file names.</summary>
    public IEnumerable<SourceFile> KnownBy(SourceFile file) =>
        file.Named.SelectMany(name => _byType[name]).Concat(file.Called.SelectMany(name => _byExtension[name]))
            .Where(known => known != file && file.Visible.Contains(known.Namespace) && SharesProject(file, known)).Distinct();

    /// <summary>Each room, and the rooms that its files know.</summary>
    public IReadOnlyDictionary<string, string[]> Arrows() => Files.GroupBy(file => file.Room).ToDictionary(
        room => room.Key,
        room => room.SelectMany(KnownBy).Select(file => file.Room).Where(known => known != room.Key).Distinct().Order(StringComparer.Ordinal)
            .ToArray());

    /// <summary>Rooms that know each other, directly or by others: the first of them, and how many they are.</summary>
    public static IEnumerable<(string First, int Rooms)> FindCircles(IReadOnlyDictionary<string, string[]> arrows)
    {
        Dictionary<string, HashSet<string>> reached = arrows.Keys.ToDictionary(room => room, room => Reach(arrows[room], one => arrows[one]));
        return arrows.Keys.Where(room => reached[room].Contains(room))
            .Select(room => reached[room].Where(other => reached[other].Contains(room)).Order(StringComparer.Ordinal).ToArray())
            .Select(circle => (circle[0], circle.Length)).Distinct();
    }

    /// <summary>Files that no program of ours leads to, and no public type.</summary>
    public IEnumerable<string> FindUnreached()
    {
        HashSet<SourceFile> reached = Reach(Files.Where(IsRoot), KnownBy);
        return Files.Where(file => !reached.Contains(file) && file.Types.Any()).Select(file => file.Path);
    }

    /// <summary>Types in more files than a maximum, with the number of files.</summary>
    public IEnumerable<(string Type, int Parts)> FindParts(int max) => Files.Where(file => !IsWire(file))
        .SelectMany(file => file.Types.Select(SourceFile.NameOf).Distinct().Select(name => (Name: $"{file.Namespace}.{name}", file.Path)))
        .GroupBy(part => part.Name).Where(type => type.Count() > max).Select(type => (type.Key, type.Count()));

    /// <summary>Methods with more lines than a maximum, with their lines.</summary>
    public IEnumerable<(string Method, int Lines)> FindLongMethods(int max) =>
        Files.SelectMany(file => file.Methods.Where(method => method.Lines > max).Select(method => (method.Name, method.Lines)));

    /// <summary>True of the layouts of the wire, which are read as the specification is.</summary>
    private static bool IsWire(SourceFile file) => file.Path.StartsWith("PerfCommon/Codec/", StringComparison.Ordinal);

    // A package shows its public types to strangers; a program begins in its Main.
    private static bool IsRoot(SourceFile file) => file.Path.EndsWith("/Program.cs", StringComparison.Ordinal)
        || (file.IsPublic && (IsOf(file, "PerfCommon") || IsOf(file, "PerfHub") || IsOf(file, "PerfTools.Results")));

    private static bool IsOf(SourceFile file, string project) => file.Path.StartsWith(project + "/", StringComparison.Ordinal);

    // Tools do not see each other's types, and src sees none of a tool's.
    private static bool SharesProject(SourceFile file, SourceFile known) =>
        ProjectOf(file) == ProjectOf(known) || IsOf(known, "PerfCommon") || IsOf(known, "PerfHub") || IsOf(known, "PerfTools.Results")
            || IsOf(known, "PerfTools.Hosting")
        || (IsOf(file, "PerfTools") && known.Path.EndsWith("/Program.cs", StringComparison.Ordinal));

    private static string ProjectOf(SourceFile file) => file.Path.Split('/')[0];

    private static HashSet<T> Reach<T>(IEnumerable<T> from, Func<T, IEnumerable<T>> next)
    {
        HashSet<T> seen = [];
        Stack<T> open = new(from);
        while (open.TryPop(out T? one))
        {
            if (!seen.Add(one))
                continue;
            foreach (T further in next(one))
                open.Push(further);
        }

        return seen;
    }

    private static SourceTree Read()
    {
        string[] roots = [Path.Combine(RepositoryRoot.FullPath, "src"), Path.Combine(RepositoryRoot.FullPath, "tools")];
        return new([.. roots.SelectMany(root => Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories)
                .Select(path => (Path: Path.GetRelativePath(root, path).Replace('\\', '/'), Full: path)))
            .Where(file => !file.Path.Split('/').Any(step => step is "bin" or "obj"))
            .OrderBy(file => file.Path, StringComparer.Ordinal).AsParallel().AsOrdered()
            .Select(file => new SourceFile(file.Path, File.ReadAllText(file.Full)))]);
    }
}
