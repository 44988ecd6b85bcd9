/// How images' bytes are put where the batch that publishes them finds them (`ImageStore.stage`).
enum ImageStaging {
    static let lease = Duration.seconds(600)
}
